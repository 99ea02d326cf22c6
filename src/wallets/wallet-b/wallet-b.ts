import { defer, map, switchMap, type Observable } from 'rxjs'
import { whenReady } from '../when-ready.js'
import { requireAccount } from '../require-account.js'
import { unreadableResult } from '../to-wallet-error.js'
import type { ReportedBalance, Wallet, WalletAccount, WalletInfo } from '../port.js'
import { hasMethods, invoke, type Provider } from '../provider.js'
import { readTotal } from '../reading/balance.js'
import { toSignature } from '../reading/result.js'
import type { WalletEnvironment } from '../environment.js'
import { withVisibleTimeout } from '../visible-timeout.js'
import { hints$ } from './hints.js'
import { refreshKastle } from './refresh.js'
import { pay$ } from './pay.js'
import { relayReady$ } from './relay.js'
import { signTransaction } from './sign-transaction.js'

export const WALLET_B: WalletInfo = { id: 'walletB', name: 'Kastle', icon: null, rdns: null }

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
      if (hasMethods(provider, 'disconnect')) await invoke(provider, 'disconnect', 'disconnect') // without effect up to 2.59.0
    },
    send: (payment) => pay$(provider, payment, environment),
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

/** `connect` resolves to true only; the account is read afterwards. */
const connect$ = (provider: Provider, environment: WalletEnvironment): Observable<WalletAccount> =>
  defer(() => invoke(provider, 'connect', 'connect')).pipe(
    switchMap((isConnected) => {
      if (!isConnected) throw unreadableResult('connect', isConnected)
      return refreshKastle(provider, environment)
    }),
    map(requireAccount),
  )
