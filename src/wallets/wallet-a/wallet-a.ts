import { defer, from, map, switchMap, type Observable, fromEvent, merge, tap } from 'rxjs'
import { callOwnMethod, hasMethods, invoke, type Provider, sendByNumber, walletEvent$ } from '../provider.js'
import { whenReady, type WalletEnvironment, withVisibleTimeout } from '../environment.js'
import { type ChainNetwork, isChainNetwork } from '../../model/network.js'
import type { Wallet, WalletAccount, WalletInfo, WalletSnapshot, WalletHint } from '../port.js'
import {
  toSignature,
  toTransactionId,
  toTransactionJson,
  readBalance,
  readSnapshot,
  firstAccount,
  keyOfAddress,
  readPublicKey,
} from '../read-snapshot.js'
import { checkedIn$, requestAccount$, withOneWindow } from './prompts.js'

const WALLET_A: WalletInfo = { id: 'walletA', name: 'KasWare', icon: null, rdns: null }

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

/** What KasWare exposes to this site without a prompt. */
const refreshKasware = (
  provider: Provider,
  shown: ShownAccounts,
  environment: WalletEnvironment,
): Promise<WalletSnapshot> => readSnapshot(() => fetchSnapshot(provider, shown), environment)

async function fetchSnapshot(provider: Provider, shown: ShownAccounts): Promise<WalletSnapshot> {
  const [accounts, name, key] = await Promise.all([
    shown.read(),
    callIfPresent(provider, 'connect', 'getNetwork'),
    callIfPresent(provider, 'connect', 'getPublicKey'),
  ])
  const address = firstAccount(accounts)
  const network = readNetwork(name)
  if (address !== null) {
    const publicKey = readPublicKey(key) ?? keyOfAddress(address) // some compatible wallets lack `getPublicKey`
    return { status: 'open', account: { address, network, publicKey } }
  }
  // a locked wallet reports its network to a permitted site
  return { status: network === null ? 'disconnected-by-wallet' : 'locked' }
}

/**
 * Changes in KasWare. An empty list is a lock, a revoked permission or a disconnect, in any tab. An unlock has no
 * event: the page's `focus`, as after the wallet's window closes, is a hint to refresh.
 */
const hints$ = (provider: Provider, shown: ShownAccounts, { page }: WalletEnvironment): Observable<WalletHint> =>
  merge(
    walletEvent$(provider, 'accountsChanged').pipe(
      tap((accounts) => shown.record([firstAccount(accounts)])),
      map((accounts): WalletHint => (firstAccount(accounts) === null ? 'withdrawn' : 'changed')),
    ),
    merge(
      walletEvent$(provider, 'networkChanged'),
      walletEvent$(provider, 'chainChanged'), // the name in some compatible wallets
      walletEvent$(provider, 'balanceChanged'),
      fromEvent(page, 'focus'),
    ).pipe(map((): WalletHint => 'changed')),
  )

/** The result of a method; undefined if a compatible wallet lacks it. */
const callIfPresent = (provider: Provider, operation: string, method: string): Promise<unknown> =>
  hasMethods(provider, method) ? invoke(provider, operation, method) : Promise.resolve(undefined)

/** The accounts that KasWare or a compatible wallet exposes without a prompt. */
interface ShownAccounts {
  read(): Promise<unknown>
  /** Records accounts from an event, a connect or a disconnect. */
  record(accounts: readonly unknown[]): void
}

/** Compatible wallets without `getAccounts` use the accounts recorded last. */
function createShownAccounts(provider: Provider): ShownAccounts {
  let latest: readonly unknown[] = []
  return {
    read: () =>
      hasMethods(provider, 'getAccounts') ? invoke(provider, 'connect', 'getAccounts') : Promise.resolve(latest),
    record: (accounts) => {
      latest = accounts
    },
  }
}

/** The networks that KasWare can be switched to; it can also report simnet. */
const SWITCHABLE: readonly ChainNetwork[] = ['mainnet', 'testnet-10', 'testnet-12', 'devnet']

/** A network in the spelling of `own`: KasWare has `kaspa_testnet_10`, some compatible wallets `testnet-10`. */
const toKaswareName = (network: ChainNetwork, own: unknown): string =>
  isChainNetwork(own) ? network : `kaspa_${network.replaceAll('-', '_')}`

/** Mainnet in outdated documentation. `testnet` alone is ambiguous and stays unchanged. */
const MAINNET = ['livenet', '0']

/**
 * A network in our spelling; an unknown one keeps its name. Null for an empty name, which means that the site has no
 * permission.
 */
export function readNetwork(name: unknown): string | null {
  if (typeof name !== 'string' || name === '') return null
  if (MAINNET.includes(name)) return 'mainnet'
  return name.replace(/^kaspa_/, '').replaceAll('_', '-')
}
