import {
  BehaviorSubject,
  EMPTY,
  Subject,
  combineLatest,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  merge,
  startWith,
  switchMap,
  type Observable,
  catchError,
  defer,
  of,
  race,
  timer,
  type SchedulerLike,
  finalize,
  share,
} from 'rxjs'
import { isPaying } from '../../errors/wallet-error.js'
import type { Platform } from '../../platform/port.js'
import type { WalletsPort, Wallet } from '../../wallets/port.js'
import { createMachine } from '../machine.js'
import { toManyPaymentRequest, toPaymentRequest, type PaymentRequest } from './check-payment.js'
import { connectWallet$ } from './connect-wallet.js'
import {
  keepInterrupted,
  type InterruptedPayment,
  type InterruptedPayments,
  type SeenPayment,
  rememberIn,
} from './interrupted.js'
import { pay$, request$, signMessage$, signPskb$, signPskt$, switchNetwork$ } from './operations.js'
import { type WalletPhase, isSameState, toWalletState } from './phases.js'
import { initialPhase, reduceWallet } from './reduce-wallet.js'
import { restoredWallet$, startSearch, type Search } from './restore.js'
import { NO_WALLET, type WalletState, type WalletSession } from './wallet-session.js'
import { walletUpdates$ } from './watch-wallet.js'

/** Timeout in ms: a wallet may not respond in a hidden page. */
const DISCONNECT_TIMEOUT = 2_000

export interface WalletSessionDeps {
  readonly wallets: WalletsPort
  readonly platform: Pick<Platform, 'scheduler' | 'visible$' | 'storage' | 'tabStorage' | 'now' | 'random'>
  /**
   * Emits each of these payments that is seen on the network, by a transaction that is not taken. @default none is seen
   */
  readonly seenPayments$?: SeenPayments | undefined
}

export type SeenPayments = (
  payments: readonly InterruptedPayment[],
  isTaken: (transactionId: string) => boolean,
) => Observable<SeenPayment>

/** A session that starts the wallet search and restores the last visit's wallet. Runs until `dispose`. */
export function createWalletSession({
  wallets,
  platform,
  seenPayments$ = () => EMPTY,
}: WalletSessionDeps): WalletSession & { dispose(): void } {
  const { scheduler, storage } = platform
  const search = startSearch(wallets, scheduler)
  const remembered = rememberIn(storage)
  const machine = createMachine(initialPhase(remembered.read()), reduceWallet)
  const interrupted = keepInterrupted(platform)
  const state$ = viewOf(machine.state$, search, interrupted)
  const paid$ = new Subject<void>()
  const effects = merge(
    restoredWallet$(machine.state$, search, scheduler),
    walletUpdates$(machine.state$, { platform, paid$ }),
  ).subscribe((event) => machine.dispatch(event))
  effects.add(connectedTo$(machine.state$).subscribe((wallet) => remembered.write(wallet)))
  effects.add(seen$(machine.state$, interrupted, seenPayments$).subscribe((seen) => interrupted.see(seen)))
  const shared = shareCalls()
  const pay = (operation: PaymentRequest['operation'], toRequest: () => PaymentRequest): Promise<string> =>
    firstValueFrom(pay$(machine, { interrupted, paid: () => paid$.next() }, operation, toRequest))
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
    signPskb: (text) => firstValueFrom(signPskb$(machine, text)),
    switchNetwork: (network) => firstValueFrom(switchNetwork$(machine, scheduler, network)),
    dismissInterrupted: (id) => interrupted.dismiss(id),
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

/**
 * Interrupted payments that are seen. Not while another payment is open: its transaction could be taken for one of
 * them.
 */
const seen$ = (
  phase$: Observable<WalletPhase>,
  interrupted: InterruptedPayments,
  seenPayments$: SeenPayments,
): Observable<SeenPayment> =>
  combineLatest([
    interrupted.interrupted$,
    phase$.pipe(
      map(({ prompt }) => prompt !== null && isPaying(prompt.operation)),
      distinctUntilChanged(),
    ),
  ]).pipe(
    switchMap(([payments, isOpen]) =>
      isOpen || payments.length === 0 ? EMPTY : seenPayments$(payments, (id) => interrupted.isTaken(id)),
    ),
  )

/** The session's public state. */
function viewOf(
  phase$: Observable<WalletPhase>,
  { wallets$ }: Search,
  { interrupted$ }: InterruptedPayments,
): BehaviorSubject<WalletState> {
  const infos$ = wallets$.pipe(
    startWith([]),
    map((wallets) => wallets.map(({ info }) => info)),
  )
  const state$ = new BehaviorSubject(NO_WALLET)
  combineLatest([phase$, infos$, interrupted$])
    .pipe(
      map(([phase, infos, interrupted]) => ({ ...toWalletState(phase, infos), interrupted })),
      distinctUntilChanged(isSameState),
    )
    .subscribe(state$)
  return state$
}

/** Revokes the wallet's permission. Ignores failures: never rejects. */
async function disconnectWallet(wallet: Wallet, scheduler: SchedulerLike): Promise<void> {
  const disconnected$ = defer(() => wallet.disconnect()).pipe(catchError(() => of(undefined)))
  await firstValueFrom(race(disconnected$, timer(DISCONNECT_TIMEOUT, scheduler)))
}

/** Concurrent calls with the same key share one execution; a completed one is not replayed. */
function shareCalls(): (key: string, call$: Observable<void>) => Promise<void> {
  const pending = new Map<string, Observable<void>>()
  return (key, call$) => {
    const shared$ =
      pending.get(key) ??
      call$.pipe(
        finalize(() => pending.delete(key)),
        share(),
      )
    pending.set(key, shared$) // before subscribing, because it may complete synchronously
    return firstValueFrom(shared$)
  }
}
