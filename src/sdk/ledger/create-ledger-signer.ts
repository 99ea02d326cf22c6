import { refuseUnknown } from '../../errors/chain-error.js'
import type { TransactionSigner } from '../port.js'
import { toDeviceTransaction, toDeviceLimits, type DeviceLimits, type LedgerTransport } from './device-transaction.js'
import { readExtendedPublicKey, loadApp, signOnDevice } from './device-app.js'

export interface LedgerSignerOptions {
  /** An open transport of Ledger, such as that of `@ledgerhq/hw-transport-webhid`. The caller closes it. */
  readonly transport: LedgerTransport
  /** The account of the device: m/44'/111111'/accountIndex'. */
  readonly accountIndex: number
  /**
   * Inputs of a transaction.
   * @default 15 on a Nano S and where the transport does not know its device, else 128
   */
  readonly maxInputs?: number | undefined
}

/** A signer for payments from the addresses of one account of a device. */
export interface LedgerSigner extends TransactionSigner {
  readonly limits: DeviceLimits
  /**
   * The extended public key of the account (kpub), for `accounts.fromExtendedPublicKey` on every network. The device
   * shows nothing. Rejects as `sign` does.
   */
  extendedPublicKey(): Promise<string>
}

/**
 * Signs payments with the Kaspa app of a Ledger device. Settings that it cannot sign are refused when a payment is
 * planned with this signer, and again before anything is sent to the device (`unsupported`, with `limit`). The device
 * shows one transaction at a time; a second request waits for the first. A payment rejects with `ChainWalletError`:
 * `rejected` on the device, `device-disconnected`, `locked`, `not-connected` where another app is open,
 * `unexpected-response`, `failed`; with `ChainError` (`package-missing`). Throws `ChainError` (`invalid-argument`).
 */
export function createLedgerSigner(options: LedgerSignerOptions): LedgerSigner {
  refuseUnknown(options, ['transport', 'accountIndex', 'maxInputs'])
  const { transport, accountIndex, maxInputs } = options
  const limits = toDeviceLimits(transport, accountIndex, maxInputs)
  const inTurn = createTurns()
  return {
    limits,
    sign: (requests, { transactions, signal, keyPathOf }) =>
      inTurn(async () => {
        const device = await loadApp(transport)
        const all = transactions.map((transaction, at) => {
          const own = requests.filter(({ transactionIndex }) => transactionIndex === at)
          return toDeviceTransaction(transaction, own, { limits, keyPathOf })
        })
        const signatures: Uint8Array[] = []
        for (const transaction of all) {
          signal.throwIfAborted()
          signatures.push(...(await signOnDevice(device, transaction, accountIndex)))
        }
        return signatures
      }),
    extendedPublicKey: () => inTurn(async () => readExtendedPublicKey(await loadApp(transport), accountIndex)),
  }
}

/** Runs one after the other, whatever becomes of the earlier ones. */
function createTurns(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turn = last.then(run)
    last = turn.catch(() => undefined) // the caller has its rejection
    return turn
  }
}
