import {
  BehaviorSubject,
  Subject,
  combineLatest,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  merge,
  startWith,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { Platform } from '../../platform/port.js'
import type { WalletsPort } from '../../wallets/port.js'
import { createMachine } from '../machine.js'
import { toManyPaymentRequest, toPaymentRequest, type PaymentRequest } from './check-payment.js'
import { connectWallet$ } from './connect-wallet.js'
import { disconnectWallet } from './disconnect-wallet.js'
import { pay$, request$, signMessage$, signPskt$, switchNetwork$ } from './operations.js'
import type { WalletPhase } from './phases.js'
import { initialPhase, reduceWallet } from './reduce-wallet.js'
import { rememberIn } from './remembered.js'
import { restoredWallet$ } from './restore.js'
import { startSearch, type Search } from './search.js'
import { shareCalls } from './share-calls.js'
import { NO_WALLET, type WalletState } from './state.js'
import { isSameState, toWalletState } from './view.js'
import type { WalletSession } from './wallet-session.js'
import { walletUpdates$ } from './watch-wallet.js'

export interface WalletSessionDeps {
  readonly wallets: WalletsPort
  readonly platform: Pick<Platform, 'scheduler' | 'visible$' | 'storage'>
}

/** A session that starts the wallet search and restores the last visit's wallet. Runs until `dispose`. */
export function createWalletSession({ wallets, platform }: WalletSessionDeps): WalletSession & { dispose(): void } {
  const { scheduler, storage } = platform
  const search = startSearch(wallets, scheduler)
  const remembered = rememberIn(storage)
  const machine = createMachine(initialPhase(remembered.read()), reduceWallet)
  const state$ = viewOf(machine.state$, search)
  const paid$ = new Subject<void>()
  const effects = merge(
    restoredWallet$(machine.state$, search, scheduler),
    walletUpdates$(machine.state$, { platform, paid$ }),
  ).subscribe((event) => machine.dispatch(event))
  effects.add(connectedTo$(machine.state$).subscribe((wallet) => remembered.write(wallet)))
  const shared = shareCalls()
  const pay = (operation: PaymentRequest['operation'], toRequest: () => PaymentRequest): Promise<string> =>
    firstValueFrom(pay$(machine, () => paid$.next(), operation, toRequest))
  return {
    state$: state$.pipe(distinctUntilChanged(isSameState)),
    get state() {
      return state$.value
    },
    connect: (wallet, network) =>
      shared(JSON.stringify([wallet, network]), connectWallet$({ machine, search, platform }, wallet, network)),
    sendKaspa: (...payment) => pay('sendKaspa', () => toPaymentRequest(...payment)),
    sendMany: (...payment) => pay('sendMany', () => toManyPaymentRequest(...payment)),
    request: (method, params) => firstValueFrom(request$(machine, () => paid$.next(), method, params)),
    signMessage: (message) => firstValueFrom(signMessage$(machine, message)),
    signPskt: (txJson, options) => firstValueFrom(signPskt$(machine, txJson, options)),
    switchNetwork: (network) => firstValueFrom(switchNetwork$(machine, scheduler, network)),
    abort: () => machine.dispatch({ type: 'promptAborted' }),
    disconnect: async () => {
      const { connection } = machine.state
      machine.dispatch({ type: 'disconnectRequested' }) // first: a wallet reports its disconnection as a change
      remembered.forget()
      if ('session' in connection) await disconnectWallet(connection.session.wallet, scheduler)
    },
    dispose: () => {
      machine.dispatch({ type: 'disconnectRequested' })
      machine.end()
      effects.unsubscribe()
      search.end()
    },
  }
}

/** Emits a wallet's id when it becomes connected. */
const connectedTo$ = (phase$: Observable<WalletPhase>): Observable<string> =>
  phase$.pipe(
    map(({ connection }) => (connection.status === 'connected' ? connection.session.wallet.info.id : null)),
    distinctUntilChanged(),
    filter((id) => id !== null),
  )

/** The session's public state. */
function viewOf(phase$: Observable<WalletPhase>, { wallets$ }: Search): BehaviorSubject<WalletState> {
  const infos$ = wallets$.pipe(
    startWith([]),
    map((wallets) => wallets.map(({ info }) => info)),
  )
  const state$ = new BehaviorSubject(NO_WALLET)
  combineLatest([phase$, infos$])
    .pipe(
      map(([phase, infos]) => toWalletState(phase, infos)),
      distinctUntilChanged(isSameState),
    )
    .subscribe(state$)
  return state$
}
