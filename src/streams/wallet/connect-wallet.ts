import { catchError, defer, map, of, switchMap, take, type Observable, type SchedulerLike } from 'rxjs'
import { refuseArgument } from '../../errors/wallet-refusal.js'
import { isChainNetwork, type ChainNetwork } from '../../model/network.js'
import type { DiscoveredWallet, Wallet, WalletProvider } from '../../wallets/port.js'
import { ask$, prepared, type WalletMachine } from './ask.js'
import { switchNetwork$ } from './operations.js'
import type { Prompt, Reading, Session } from './phases.js'
import { givenUp, locked, notInstalled, shownNothing, unsupportedNetwork } from './prompt-errors.js'
import { read$, untilWhole$, withBalance$ } from './read.js'
import { isWith } from './reduce-wallet.js'
import type { Search } from './search.js'

export interface ConnectDeps {
  readonly machine: WalletMachine
  readonly search: Pick<Search, 'find'>
  readonly scheduler: SchedulerLike
}

/** `connect`: the user is asked unless the wallet already shows us an account; then for the network, where one is given. */
export const connectWallet$ = (
  deps: ConnectDeps,
  wallet: WalletProvider | DiscoveredWallet,
  network?: ChainNetwork,
): Observable<void> =>
  defer(() => {
    const id = prepared(deps.machine, 'connect', () => checkRequest(wallet, network))
    return isStillOpen$(deps, id).pipe(
      switchMap((isOpen) => (isOpen ? of(undefined) : askWallet$(deps, id, network))),
      switchMap(() => (network === undefined ? of(undefined) : switchNetwork$(deps.machine, deps.scheduler, network))),
    )
  })

/** The id of the wallet that is meant. Callers without types pass anything. */
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

/** Whether this wallet is connected and still shows us an account; what it shows is taken over. Asks nobody. */
function isStillOpen$({ machine, scheduler }: ConnectDeps, id: string): Observable<boolean> {
  const { standing, prompt } = machine.state
  if (prompt !== null || standing.status !== 'connected' || standing.session.wallet.info.id !== id) return of(false)
  const { session } = standing
  return read$(session.wallet, scheduler).pipe(
    take(1),
    catchError(() => of<Reading>({ status: 'gone' })), // a look that fails tells nothing: then the wallet is asked
    map((reading) => {
      if (!isWith(machine.state.standing, session)) throw givenUp({ operation: 'connect', wallet: id })
      if (reading.status === 'open') machine.dispatch({ type: 'stillOpen', session, reading })
      return reading.status === 'open'
    }),
  )
}

function askWallet$(deps: ConnectDeps, id: string, network: ChainNetwork | undefined): Observable<unknown> {
  const prompt: Prompt = { operation: 'connect', wallet: id }
  return ask$(
    deps.machine,
    prompt,
    () => begin$(deps, id, network),
    ({ session, reading }) => ({ type: 'connected', prompt, session, reading }),
  )
}

/** The wallet, once it is there, and what it shows us after the user has agreed. */
const begin$ = (
  { search, scheduler }: ConnectDeps,
  id: string,
  network: ChainNetwork | undefined,
): Observable<{ session: Session; reading: Reading }> =>
  search.find(id).pipe(
    switchMap((wallet) => {
      if (wallet === null) throw notInstalled(id)
      checkSupport(wallet, network)
      return defer(() => wallet.connect()).pipe(
        switchMap((account) => untilWhole$(wallet, withBalance$(wallet, account, scheduler), scheduler)),
        map((reading) => ({ session: { wallet }, reading: stillThere(reading) })),
      )
    }),
  )

/** The user agreed, and may have locked the wallet or taken the account away by the time that it has been looked at. */
function stillThere(reading: Reading): Reading {
  if (reading.status === 'locked') throw locked('connect')
  if (reading.status === 'gone') throw shownNothing('connect')
  return reading
}

function checkSupport({ networks }: Wallet, network: ChainNetwork | undefined): void {
  if (network !== undefined && !networks.includes(network)) throw unsupportedNetwork('connect', network, networks)
}
