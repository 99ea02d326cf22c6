import { defer, map, switchMap, type Observable } from 'rxjs'
import { callOwnMethod, hasMethods, invoke, unsupportedMethod, type Provider } from '../provider.js'
import { whenReady, type WalletEnvironment, withVisibleTimeout } from '../environment.js'
import { requireAccount, readTotal, toSignature, toTransactionJson } from '../read-snapshot.js'
import { unreadableResult } from '../to-wallet-error.js'
import type { ReportedBalance, Wallet, WalletAccount, WalletInfo, WalletSignRequest } from '../port.js'
import { hints$, refreshKastle, relayReady$ } from './account.js'
import { canBuild, pay$ } from './pay.js'
import { ChainWalletError } from '../../errors/wallet-error.js'

/** Kastle's names of sighash types. */
const SIGN_TYPES: ReadonlyMap<number, string> = /*#__PURE__*/ new Map([
  [1, 'All'],
  [2, 'None'],
  [4, 'Single'],
  [129, 'AllAnyOneCanPay'],
  [130, 'NoneAnyOneCanPay'],
  [132, 'SingleAnyOneCanPay'],
])

export const WALLET_B: WalletInfo = { id: 'walletB', name: 'Kastle', icon: null, rdns: null }

const COVERED = {
  connect: 'connect',
  getAccount: 'address',
  getNetwork: 'network',
  getBalance: 'reportedBalance',
  switchNetwork: 'switchNetwork',
  disconnect: 'disconnect',
  sendKaspa: 'sendKaspa',
  sendKaspaMany: 'sendMany',
  signMessage: 'signMessage',
  signTx: 'signPskt',
  'kas:connect': 'connect',
  'kas:get_account': 'address',
  'kas:get_network': 'network',
  'kas:get_balance': 'reportedBalance',
  'kas:switch_network': 'switchNetwork',
  'kas:send_sompi': 'sendKaspa',
  'kas:sign_message': 'signMessage',
  'kas:sign_tx': 'signPskt',
}

/** Whether an object is Kastle. */
export const isWalletB = (provider: Provider): boolean => hasMethods(provider, 'connect', 'getAccount')

/** Kastle. Reports its balance since 2.47.0, as one figure. A page cannot revoke its permission. */
export function createWalletB(
  provider: Provider,
  environment: WalletEnvironment,
  initialized$: Observable<unknown>,
): Wallet {
  const ready$ = relayReady$(provider, environment, initialized$)
  return {
    info: WALLET_B,
    networks: ['mainnet', 'testnet-10'],
    hints$: hints$(provider, environment),
    connect: () => whenReady(ready$, () => connect$(provider, environment)),
    refresh: () => whenReady(ready$, () => refreshKastle(provider, environment)),
    balance: hasMethods(provider, 'getBalance') ? () => fetchBalance(provider, environment) : undefined,
    disconnect: async () => {
      // without effect up to 2.59.0
      if (hasMethods(provider, 'disconnect')) await invoke(provider, 'disconnect', 'disconnect')
    },
    get canSendMany() {
      return canBuild(provider)
    },
    covered: COVERED,
    request: (method, params) => request(provider, method, params),
    send: (payment, account) => pay$(provider, payment, account, environment),
    signMessage: async (message) => toSignature(await invoke(provider, 'signMessage', 'signMessage', message)),
    signPskt: (request, account) => signTransaction(provider, request, account),
    switchNetwork: async (network) => {
      await invoke(provider, 'switchNetwork', 'switchNetwork', network)
    },
  }
}

/** Kastle queries its node, and does not respond while the node is unreachable. */
const fetchBalance = async (provider: Provider, environment: WalletEnvironment): Promise<ReportedBalance | null> =>
  readTotal(await withVisibleTimeout(environment, 'connect', () => invoke(provider, 'connect', 'getBalance')))

/** A name with `kas:` is of the generic method, which resolves an unknown one to undefined; other names are methods. */
async function request(provider: Provider, method: string, params: unknown): Promise<unknown> {
  if (!method.startsWith('kas:')) return callOwnMethod(provider, method, params)
  const result = await invoke(provider, 'request', 'request', method, params)
  if (result === undefined) throw unsupportedMethod('request', method)
  return result
}

/** `connect` resolves to true only; the account is read afterwards. */
const connect$ = (provider: Provider, environment: WalletEnvironment): Observable<WalletAccount> =>
  defer(() => invoke(provider, 'connect', 'connect')).pipe(
    switchMap((isConnected) => {
      if (!isConnected) throw unreadableResult('connect', isConnected)
      return refreshKastle(provider, environment)
    }),
    map(requireAccount),
  )

/**
 * Signs by `signTx`. Passes the inputs if the caller named them, even all of them: Kastle skips unnamed script (P2SH)
 * inputs without an error. It signs the account's own inputs in any case. A hardware wallet rejects every list.
 */
async function signTransaction(
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
