import { ChainWalletError } from '../../errors/wallet-error.js'
import type { WalletAccount, WalletSignRequest } from '../port.js'
import { invoke, type Provider } from '../provider.js'
import { toTransactionJson } from '../reading/result.js'

/** Kastle's names of sighash types. */
const SIGN_TYPES: ReadonlyMap<number, string> = /*#__PURE__*/ new Map([
  [1, 'All'],
  [2, 'None'],
  [4, 'Single'],
  [129, 'AllAnyOneCanPay'],
  [130, 'NoneAnyOneCanPay'],
  [132, 'SingleAnyOneCanPay'],
])

/**
 * Signs by `signTx`. Passes the inputs if the caller named them, even all of them: Kastle skips unnamed script (P2SH)
 * inputs without an error. It signs the account's own inputs in any case. A hardware wallet rejects every list.
 */
export async function signTransaction(
  provider: Provider,
  { txJson, signInputs, inputs }: WalletSignRequest,
  { network }: WalletAccount,
): Promise<string> {
  if (network === null) throw noNetwork()
  const scripts = signInputs.map(({ index, sighashType }) => ({
    inputIndex: index,
    signType: SIGN_TYPES.get(sighashType),
  }))
  const args = inputs === 'all' ? [network, txJson] : [network, txJson, scripts]
  return toTransactionJson(await invoke(provider, 'signPskt', 'signTx', ...args))
}

const noNetwork = (): ChainWalletError =>
  new ChainWalletError('signPskt', new Error('The wallet does not report its network'), {
    code: 'wrong-network',
    hint: 'Select a network in the wallet.',
  })
