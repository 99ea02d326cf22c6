import { catchError, defer, map, merge, of, switchMap, take, tap, type Observable } from 'rxjs'
import { refuseArgument } from '../../errors/wallet-error.js'
import { isChainNetwork, type ChainNetwork } from '../../model/network.js'
import type { Platform } from '../../platform/port.js'
import type { WalletInfo, Wallet, WalletProvider } from '../../wallets/port.js'
import { prompt$, prepareOrRefuse, type WalletMachine } from './prompt.js'
import { switchNetwork$ } from './operations.js'
import type { Prompt, Reading, Session } from './phases.js'
import {
  abortedPrompt,
  contradictory,
  locked,
  notInstalled,
  noAccount,
  notResponding,
  unsupportedNetwork,
} from './prompt-errors.js'
import { unresponsive$, read$, untilComplete$, withBalance$ } from './read.js'
import { isCurrent } from './reduce-wallet.js'
import type { Search } from './restore.js'

export interface ConnectDeps {
  readonly machine: WalletMachine
  readonly search: Pick<Search, 'find'>
  readonly platform: Pick<Platform, 'scheduler' | 'visible$'>
}

/**
 * `connect`: prompts the user unless the wallet still provides an account; then switches the network, if one is given.
 */
export const connectWallet$ = (
  deps: ConnectDeps,
  wallet: WalletProvider | WalletInfo,
  network?: ChainNetwork,
): Observable<void> =>
  defer(() => {
    const id = prepareOrRefuse(deps.machine, 'connect', () => checkRequest(wallet, network))
    return hasAccount$(deps, id).pipe(
      switchMap((isConnected) => (isConnected ? of(undefined) : promptWallet$(deps, id, network))),
      tap(() => refuseContradiction(deps.machine)),
      switchMap(() =>
        network === undefined ? of(undefined) : switchNetwork$(deps.machine, deps.platform.scheduler, network),
      ),
    )
  })

/** The wallet's id. Callers without types pass anything. */
function checkRequest(wallet: unknown, network: unknown): string {
  const id = typeof wallet === 'object' && wallet !== null && 'id' in wallet ? wallet.id : wallet
  if (typeof id !== 'string' || (id === wallet && id !== 'walletA' && id !== 'walletB')) {
    const cause = new TypeError('There is no such wallet')
    throw refuseArgument('connect', 'wallet', cause, "Use 'walletA', 'walletB', or one of those discovered.")
  }
  if (network !== undefined && !isChainNetwork(network)) {
    const cause = new TypeError('There is no such network')
    throw refuseArgument('connect', 'network', cause, 'Use one of AVAILABLE_NETWORKS, or leave it out.')
  }
  return id
}

/** Whether this wallet is connected and still provides an account; updates the state from it. Never prompts. */
function hasAccount$({ machine, platform: { scheduler } }: ConnectDeps, id: string): Observable<boolean> {
  const { connection, prompt } = machine.state
  if (prompt !== null || connection.status !== 'connected' || connection.session.wallet.info.id !== id) return of(false)
  const { session } = connection
  return read$(session.wallet, scheduler).pipe(
    take(1),
    // a failed read is no evidence of an account: prompt the wallet
    catchError(() => of<Reading>({ status: 'disconnected-by-wallet' })),
    map((reading) => {
      if (!isCurrent(machine.state.connection, session)) throw abortedPrompt({ operation: 'connect', wallet: id })
      const hasAccount = reading.status === 'open' || reading.status === 'wrong-network'
      if (hasAccount) machine.dispatch({ type: 'stillOpen', session, reading })
      return hasAccount
    }),
  )
}

function promptWallet$(deps: ConnectDeps, id: string, network: ChainNetwork | undefined): Observable<unknown> {
  const prompt: Prompt = { operation: 'connect', wallet: id }
  return prompt$(
    deps.machine,
    prompt,
    () => connectAndRead$(deps, id, network),
    ({ session, reading }) => ({ type: 'connected', prompt, session, reading }),
  )
}

/** Finds the wallet, connects to it and reads its account. */
const connectAndRead$ = (
  { search, platform }: ConnectDeps,
  id: string,
  network: ChainNetwork | undefined,
): Observable<{ session: Session; reading: Reading }> =>
  search.find(id).pipe(
    switchMap((wallet) => {
      if (wallet === null) throw notInstalled(id)
      checkSupport(wallet, network)
      const { scheduler } = platform
      const connected$ = defer(() => wallet.connect()).pipe(
        switchMap((account) =>
          untilComplete$(
            wallet,
            defer(() => withBalance$(wallet, account, scheduler)),
            scheduler,
          ),
        ),
        map((reading) => ({ session: { wallet }, reading: requireAccount(reading) })),
      )
      return merge(connected$, failWhenUnresponsive$(wallet, platform))
    }),
  )

const failWhenUnresponsive$ = (wallet: Wallet, platform: ConnectDeps['platform']): Observable<never> =>
  unresponsive$(wallet, platform).pipe(
    map(() => {
      throw notResponding({ operation: 'connect', wallet: wallet.info.id })
    }),
  )

/** After the approval, the wallet may have been locked or the permission revoked before the account was read. */
function requireAccount(reading: Reading): Reading {
  if (reading.status === 'locked') throw locked('connect')
  if (reading.status === 'disconnected-by-wallet') throw noAccount('connect')
  return reading // also `wrong-network`: the wallet stays in use until it agrees
}

/** The wallet is in use, but its account is not: the next reading that agrees connects it. */
function refuseContradiction(machine: WalletMachine): void {
  if (machine.state.connection.status !== 'wrong-network') return
  prepareOrRefuse(machine, 'connect', () => {
    throw contradictory('connect')
  })
}

function checkSupport({ networks }: Wallet, network: ChainNetwork | undefined): void {
  if (network !== undefined && !networks.includes(network)) throw unsupportedNetwork('connect', network, networks)
}
