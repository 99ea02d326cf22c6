import { defer, from, map, switchMap, type Observable } from 'rxjs'
import { callOwnMethod, hasMethods, invoke, type Provider } from '../provider.js'
import { whenReady } from '../ready.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Wallet, WalletAccount, WalletInfo } from '../port.js'
import { toSignature, toTransactionId, toTransactionJson } from '../reading/result.js'
import { readBalance } from '../reading/account.js'
import { sendByNumber } from '../send-by-number.js'
import type { WalletEnvironment } from '../environment.js'
import { withVisibleTimeout } from '../visible-timeout.js'
import { checkedIn$, requestAccount$ } from './request-account.js'
import { hints$, refreshKasware } from './account.js'
import { withOneWindow } from './one-window.js'
import { SWITCHABLE, toKaswareName, callIfPresent, createShownAccounts, type ShownAccounts } from './compatible.js'

export const WALLET_A: WalletInfo = { id: 'walletA', name: 'KasWare', icon: null, rdns: null }

const COVERED = {
  requestAccounts: 'connect',
  getAccounts: 'address',
  getPublicKey: 'publicKey',
  getNetwork: 'network',
  getBalance: 'balance',
  switchNetwork: 'switchNetwork',
  disconnect: 'disconnect',
  sendKaspa: 'sendKaspa',
  signMessage: 'signMessage',
  signPskt: 'signPskt',
}

/** Whether an object is KasWare or a compatible wallet. */
export const isWalletA = (provider: Provider): boolean => hasMethods(provider, 'requestAccounts')

/**
 * KasWare. Its promises may never settle (a hidden page, a replaced window, an updated extension): reads have a timeout
 * here, and the caller runs one prompt at a time.
 */
export const createWalletA = (provider: Provider, environment: WalletEnvironment): Wallet =>
  createKaswareCompatibleWallet(provider, environment, WALLET_A, checkedIn$(environment))

/** A wallet with KasWare's methods; `ready$` emits when it can be called. */
export function createKaswareCompatibleWallet(
  provider: Provider,
  environment: WalletEnvironment,
  info: WalletInfo,
  ready$: Observable<unknown>,
): Wallet {
  const shown = createShownAccounts(provider)
  return {
    info,
    networks: SWITCHABLE,
    hints$: hints$(provider, shown, environment),
    connect: () => whenReady(ready$, () => connect$(provider, shown, environment)),
    refresh: () => whenReady(ready$, () => refreshKasware(provider, shown, environment)),
    balance: async () =>
      readBalance(await withVisibleTimeout(environment, 'connect', () => invoke(provider, 'connect', 'getBalance'))),
    disconnect: async () => {
      shown.record([])
      // without the origin the permission remains
      await invoke(provider, 'disconnect', 'disconnect', environment.page.location.origin)
    },
    canSendMany: false,
    covered: COVERED,
    request: (method, params) => callOwnMethod(provider, method, params),
    send: (payment) =>
      withOneWindow(environment, 'sendKaspa', async () => toTransactionId(await sendByNumber(provider, payment))),
    signMessage: (message) =>
      withOneWindow(environment, 'signMessage', async () =>
        toSignature(await invoke(provider, 'signMessage', 'signMessage', message, { type: 'schnorr' })),
      ),
    signPskt: ({ txJson, signInputs }) =>
      withOneWindow(environment, 'signPskt', async () =>
        toTransactionJson(
          await invoke(provider, 'signPskt', 'signPskt', { txJsonString: txJson, options: { signInputs } }),
        ),
      ),
    switchNetwork: (network) => switchNetwork$(provider, network, environment),
  }
}

/** Keeps the approved address even if the following read exposes less. */
const connect$ = (
  provider: Provider,
  shown: ShownAccounts,
  environment: WalletEnvironment,
): Observable<WalletAccount> =>
  requestAccount$(provider, environment).pipe(
    switchMap((address) => {
      shown.record([address])
      return from(refreshKasware(provider, shown, environment)).pipe(
        map((snapshot) =>
          snapshot.status === 'open' ? snapshot.account : { address, publicKey: null, network: null },
        ),
      )
    }),
  )

/** Uses the wallet's own spelling, taken from `getNetwork`. */
const switchNetwork$ = (provider: Provider, network: ChainNetwork, environment: WalletEnvironment): Observable<void> =>
  defer(() =>
    withVisibleTimeout(environment, 'switchNetwork', () => callIfPresent(provider, 'switchNetwork', 'getNetwork')),
  ).pipe(
    switchMap((current) => invoke(provider, 'switchNetwork', 'switchNetwork', toKaswareName(network, current))),
    map(() => undefined),
  )
