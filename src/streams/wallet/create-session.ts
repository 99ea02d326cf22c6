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
import { connectWallet$ } from './connect-wallet.js'
import { sayGoodbye } from './goodbye.js'
import { sendKaspa$, signMessage$, signPskt$, switchNetwork$ } from './operations.js'
import type { WalletPhase } from './phases.js'
import { beginWith, reduceWallet } from './reduce-wallet.js'
import { rememberIn } from './remembered.js'
import { restorals$ } from './restore.js'
import { beginSearch, type Search } from './search.js'
import { shareCalls } from './share-calls.js'
import { NO_WALLET, type WalletState } from './state.js'
import { isSameState, toWalletState } from './view.js'
import type { WalletSession } from './wallet-session.js'
import { watches$ } from './watch-wallet.js'

export interface WalletSessionDeps {
  readonly wallets: WalletsPort
  readonly platform: Pick<Platform, 'scheduler' | 'visible$' | 'storage'>
}

/** A session that looks for wallets at once, and takes up the last one where it still knows us. Until `dispose`. */
export function createWalletSession({ wallets, platform }: WalletSessionDeps): WalletSession & { dispose(): void } {
  const { scheduler, storage } = platform
  const search = beginSearch(wallets, scheduler)
  const remembered = rememberIn(storage)
  const machine = createMachine(beginWith(remembered.read()), reduceWallet)
  const state$ = viewOf(machine.state$, search)
  const paid$ = new Subject<void>()
  const effects = merge(
    restorals$(machine.state$, search, scheduler),
    watches$(machine.state$, { platform, paid$ }),
  ).subscribe((event) => machine.dispatch(event))
  effects.add(connectedTo$(machine.state$).subscribe((wallet) => remembered.write(wallet)))
  const shared = shareCalls()
  return {
    state$: state$.pipe(distinctUntilChanged(isSameState)),
    get state() {
      return state$.value
    },
    connect: (wallet, network) =>
      shared(JSON.stringify([wallet, network]), connectWallet$({ machine, search, scheduler }, wallet, network)),
    sendKaspa: (...payment) => firstValueFrom(sendKaspa$(machine, () => paid$.next(), ...payment)),
    signMessage: (message) => firstValueFrom(signMessage$(machine, message)),
    signPskt: (txJson, options) => firstValueFrom(signPskt$(machine, txJson, options)),
    switchNetwork: (network) => firstValueFrom(switchNetwork$(machine, scheduler, network)),
    disconnect: async () => {
      const { standing } = machine.state
      machine.dispatch({ type: 'disconnectRequested' }) // our handlers go first: a wallet tells even us that we left
      remembered.forget()
      if ('session' in standing) await sayGoodbye(standing.session.wallet, scheduler)
    },
    dispose: () => {
      machine.dispatch({ type: 'disconnectRequested' })
      machine.end()
      effects.unsubscribe()
      search.end()
    },
  }
}

/** The id of each wallet that shows us an account, as it begins to. */
const connectedTo$ = (phase$: Observable<WalletPhase>): Observable<string> =>
  phase$.pipe(
    map(({ standing }) => (standing.status === 'connected' ? standing.session.wallet.info.id : null)),
    distinctUntilChanged(),
    filter((id) => id !== null),
  )

/** What everybody may see, kept for whoever comes late. */
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
