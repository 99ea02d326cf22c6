import { ChainWalletError } from '../../errors/wallet-error.js'
import type { WalletAccount, WalletSignRequest } from '../port.js'
import { invoke, type Provider } from '../provider.js'
import { toTransactionJson } from '../reading/answer.js'

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
 * Signs by `signTx`. Inputs are named where the caller named them, also all of them: of those that it is not told, Kastle
 * leaves a script's (P2SH) unsigned and says nothing of it. It signs whatever else it owns in any case, and a hardware
 * wallet behind it refuses every list.
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
  new ChainWalletError('signPskt', new Error('The wallet does not say which network it is on'), {
    code: 'wrong-network',
    hint: 'Choose a network in the wallet.',
  })
