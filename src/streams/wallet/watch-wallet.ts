import {
  EMPTY,
  catchError,
  concat,
  connect,
  distinctUntilChanged,
  filter,
  interval,
  map,
  merge,
  of,
  skip,
  switchMap,
  take,
  takeUntil,
  timer,
  type Observable,
} from 'rxjs'
import type { Platform } from '../../platform/port.js'
import { ChainWalletError } from '../../errors/wallet-error.js'
import type { Wallet, WalletHint } from '../../wallets/port.js'
import type { Reading, Session, WalletConnection, WalletEvent, WalletPhase } from './phases.js'
import { pollAccount$, read$ } from './read.js'

/** Ms between two reads of a wallet with balances while the page is visible. */
const REFRESH_INTERVAL = 30_000

/** Delays in ms of the reads after a payment: balances lag until the transaction is in a block. */
const PAYMENT_REFRESH_DELAYS = [0, 4_000] as const

/** Ms for which a withdrawn account stays until the reading says whether the wallet is locked or disconnected. */
const WITHDRAWAL_TIMEOUT = 1_000

type InUse = Extract<WalletConnection, { readonly session: Session }>

export interface WatchDeps {
  readonly platform: Pick<Platform, 'scheduler' | 'visible$'>
  readonly paid$: Observable<unknown>
}

/** Watches the wallet in use. */
export const walletUpdates$ = (phase$: Observable<WalletPhase>, deps: WatchDeps): Observable<WalletEvent> =>
  phase$.pipe(
    map(({ connection }) => connection),
    distinctUntilChanged((a, b) => sessionOf(a) === sessionOf(b)),
    switchMap((connection) => ('session' in connection ? watch$(connection, phase$, deps) : EMPTY)),
  )

const sessionOf = (connection: WalletConnection): Session | null =>
  'session' in connection ? connection.session : null

/**
 * Reads the wallet on its hints, when the page becomes visible (unlocking emits no hint), periodically, after payments,
 * and when a poll finds a change. A newer trigger cancels a read in flight; a failed read is ignored.
 */
function watch$(first: InUse, phase$: Observable<WalletPhase>, deps: WatchDeps): Observable<WalletEvent> {
  const { session } = first
  const lacksBalance = first.status === 'connected' && first.balance === undefined
  const triggers$ = merge(
    lacksBalance ? of<WalletHint>('changed') : EMPTY,
    session.wallet.hints$,
    refreshTriggers$(session.wallet, deps).pipe(map((): WalletHint => 'changed')),
    pollAccount$(session, phase$, deps.platform),
  )
  const refresh$ = read$(session.wallet, deps.platform.scheduler).pipe(
    catchError((error: unknown) => (isInvalid(error) ? of<Reading>({ status: 'disconnected-by-wallet' }) : EMPTY)),
    map((reading): WalletEvent => ({ type: 'refreshed', session, reading })),
  )
  return triggers$.pipe(
    switchMap((trigger) => {
      if (trigger === 'unresponsive') return of<WalletEvent>({ type: 'unresponsive', session })
      return trigger === 'withdrawn' ? withdraw$(session, refresh$, deps) : refresh$
    }),
  )
}

/** An invalid account replaces the last one: the wallet no longer provides that. */
const isInvalid = (error: unknown): boolean => error instanceof ChainWalletError && error.code === 'unexpected-response'

/**
 * Reads first, so that a lock does not appear as a disconnection; without a reading the account is withdrawn. At once
 * in a hidden page, whose calls KasWare queues.
 */
function withdraw$(session: Session, refresh$: Observable<WalletEvent>, { platform }: WatchDeps) {
  const { scheduler, visible$ } = platform
  const withdrawn: WalletEvent = { type: 'withdrawn', session }
  const afterReading$ = refresh$.pipe(
    connect((events$) =>
      merge(
        events$,
        timer(WITHDRAWAL_TIMEOUT, scheduler).pipe(
          map(() => withdrawn),
          takeUntil(events$),
        ),
      ),
    ),
  )
  return visible$.pipe(
    take(1),
    switchMap((isVisible) => (isVisible ? afterReading$ : concat(of(withdrawn), refresh$))),
  )
}

function refreshTriggers$(wallet: Wallet, { platform, paid$ }: WatchDeps): Observable<unknown> {
  const { scheduler, visible$ } = platform
  const becameVisible$ = visible$.pipe(
    skip(1),
    filter((isVisible) => isVisible),
  )
  if (wallet.balance === undefined) return becameVisible$
  const refreshed$ = visible$.pipe(
    switchMap((isVisible) => (isVisible ? interval(REFRESH_INTERVAL, scheduler) : EMPTY)),
  )
  const paid = paid$.pipe(switchMap(() => merge(...PAYMENT_REFRESH_DELAYS.map((delay) => timer(delay, scheduler)))))
  return merge(becameVisible$, refreshed$, paid)
}
