import { catchError, firstValueFrom, of } from 'rxjs'
import type { SchedulerLike } from 'rxjs'
import { refuseArgument } from '../../errors/wallet-error.js'
import { isChainNetwork, type ChainNetwork } from '../../model/network.js'
import type { Wallet, WalletInfo, WalletProvider } from '../../wallets/port.js'
import { ask, prepared, type WalletMachine } from './ask.js'
import type { Prompt, Reading, Session } from './phases.js'
import { givenUp, notInstalled, unsupportedNetwork } from './prompt-errors.js'
import { read$, withBalance$ } from './read.js'
import { isWith } from './reduce-wallet.js'
import type { Remembered } from './remembered.js'
import type { Search } from './search.js'

export interface ConnectDeps {
  readonly machine: WalletMachine
  readonly search: Pick<Search, 'find'>
  readonly remembered: Remembered
  readonly scheduler: SchedulerLike
  /** Resolves once the wallet shows an account of `network`, at once where it does. */
  readonly switchNetwork: (network: ChainNetwork) => Promise<void>
}

/** `connect`: the user is asked unless the wallet already shows us an account. The same call twice at a time is one. */
export function createConnect(deps: ConnectDeps) {
  const underWay = new Map<string, Promise<void>>()
  return (target: WalletProvider | WalletInfo, network?: ChainNetwork): Promise<void> => {
    const id = typeof target === 'string' ? target : target.id
    const key = JSON.stringify([id, network])
    const connecting = underWay.get(key) ?? connect(deps, id, network).finally(() => underWay.delete(key))
    underWay.set(key, connecting)
    return connecting
  }
}

async function connect(deps: ConnectDeps, id: string, network: ChainNetwork | undefined): Promise<void> {
  prepared(deps.machine, 'connect', () => checkNetwork(network))
  if (!(await isStillOpen(deps, id))) await askWallet(deps, id, network)
  if (network !== undefined) await deps.switchNetwork(network)
}

async function askWallet(deps: ConnectDeps, id: string, network: ChainNetwork | undefined): Promise<void> {
  const prompt: Prompt = { operation: 'connect', wallet: id }
  await ask(
    deps.machine,
    prompt,
    () => begin(deps, id, network),
    ({ session, reading }) => ({ type: 'connected', prompt, session, reading }),
  )
  deps.remembered.write(id)
}

function checkNetwork(network: unknown): void {
  if (network !== undefined && !isChainNetwork(network)) {
    const cause = new TypeError('There is no such network')
    throw refuseArgument('connect', 'network', cause, 'Use one of AVAILABLE_NETWORKS, or leave it out.')
  }
}

/** Whether this wallet is connected and still shows us an account; what it shows is taken over. Asks nobody. */
async function isStillOpen({ machine, scheduler }: ConnectDeps, id: string): Promise<boolean> {
  const { standing, prompt } = machine.state
  if (prompt !== null || standing.status !== 'connected' || standing.session.wallet.info.id !== id) return false
  const { session } = standing
  const unknown$ = of<Reading>({ status: 'gone' }) // a look that fails tells nothing: then the wallet is asked
  const reading = await firstValueFrom(read$(session.wallet, scheduler).pipe(catchError(() => unknown$)))
  if (!isWith(machine.state.standing, session)) throw givenUp({ operation: 'connect', wallet: id })
  if (reading.status === 'open') machine.dispatch({ type: 'looked', session, reading })
  return reading.status === 'open'
}

/** The wallet, once it is there, and what it shows us after the user has agreed. */
async function begin(
  { search, scheduler }: ConnectDeps,
  id: string,
  network: ChainNetwork | undefined,
): Promise<{ session: Session; reading: Reading }> {
  const wallet = await search.find(id)
  if (wallet === null) throw notInstalled(id)
  checkSupport(wallet, network)
  const account = await wallet.connect()
  return { session: { wallet }, reading: await firstValueFrom(withBalance$(wallet, account, scheduler)) }
}

function checkSupport({ networks }: Wallet, network: ChainNetwork | undefined): void {
  if (network !== undefined && !networks.includes(network)) throw unsupportedNetwork('connect', network, networks)
}
