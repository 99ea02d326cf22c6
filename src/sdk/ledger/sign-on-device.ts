import { ChainWalletError } from '../../errors/wallet-error.js'
import { fromHex, isHex, toHex } from '../../model/hex.js'
import { toDeviceError } from './device-error.js'
import type { DeviceTransaction } from './device-transaction.js'
import type { LedgerApp } from './load-app.js'

const HARDENED = 2 ** 31

/**
 * Shows a transaction on the device; resolves to the signatures of its inputs once the user has approved it. Rejects
 * with `ChainWalletError`, with `unexpected-response` where the app signed another hash than that of the transaction.
 */
export async function signOnDevice(
  { app, KaspaHwTransaction, TransactionInput, TransactionOutput }: LedgerApp,
  { inputs, outputs, change }: DeviceTransaction,
  account: number,
): Promise<readonly Uint8Array[]> {
  const transaction = new KaspaHwTransaction({
    version: 0,
    account: HARDENED + account,
    changeAddressType: change.type,
    changeAddressIndex: change.index,
    outputs: outputs.map(({ value, script }) => new TransactionOutput({ value, scriptPublicKey: script })),
    inputs: inputs.map(
      ({ transactionId, outpointIndex, value, type, index }) =>
        new TransactionInput({ value, prevTxId: transactionId, outpointIndex, addressType: type, addressIndex: index }),
    ),
  })
  try {
    await app.signTransaction(transaction)
  } catch (cause) {
    throw toDeviceError('sign', cause)
  }
  return inputs.map(({ sighash }, at) => {
    const { signature, sighash: signed } = transaction.inputs[at] ?? {}
    if (signed !== toHex(sighash)) throw unexpected(`The app signed another hash for input ${at}`)
    if (!isHex(signature, 64)) throw unexpected(`The app returned no signature for input ${at}`)
    return fromHex(signature)
  })
}

const unexpected = (what: string): ChainWalletError =>
  new ChainWalletError('sign', new Error(what), {
    code: 'unexpected-response',
    hint: 'Nothing was signed. Update the Kaspa app on the device.',
  })
