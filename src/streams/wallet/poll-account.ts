import {
  EMPTY,
  catchError,
  defer,
  distinctUntilChanged,
  exhaustMap,
  filter,
  interval,
  map,
  merge,
  of,
  switchMap,
  withLatestFrom,
  type Observable,
} from 'rxjs'
import { ChainWalletError, type ChainWalletErrorCode } from '../../errors/wallet-error.js'
import { isValidAddress } from '../../model/address.js'
import type { Platform } from '../../platform/port.js'
import type { Wallet, WalletSnapshot } from '../../wallets/port.js'
import type { Session, WalletConnection, WalletPhase } from './phases.js'
import { checkAccount } from './read.js'
import { isCurrent, isSameAccount } from './reduce-wallet.js'

/** Ms between two reads of a wallet's account while the page is visible. Such a read needs no user and no network. */
const POLL_INTERVAL = 5_000

/** The wallet's account differs from the state, or the wallet no longer responds. */
export type PollResult = 'changed' | 'unresponsive'

type PollPlatform = Pick<Platform, 'scheduler' | 'visible$'>

/**
 * Polls the account of a wallet in use, because not every change has an event: KasWare emits its first lock only. Also
 * polls at once after a failure or a missing balance that may be due to a lock.
 */
export const pollAccount$ = (
  session: Session,
  phase$: Observable<WalletPhase>,
  platform: PollPlatform,
): Observable<PollResult> => {
  const current$ = phase$.pipe(filter(({ connection }) => isCurrent(connection, session)))
  return merge(visibleTicks$(platform), lockHints$(current$, session)).pipe(
    exhaustMap(() => probe$(session.wallet)),
    withLatestFrom(current$),
    map(([probe, { connection }]) => toResult(session.wallet, probe, connection)),
    filter((result) => result !== null),
  )
}

/** Emits when a wallet that is being prompted stops responding. */
export const unresponsive$ = (wallet: Wallet, platform: PollPlatform): Observable<unknown> =>
  visibleTicks$(platform).pipe(
    exhaustMap(() => probe$(wallet)),
    filter((probe) => probe === 'unresponsive'),
  )

const visibleTicks$ = ({ scheduler, visible$ }: PollPlatform): Observable<unknown> =>
  visible$.pipe(switchMap((isVisible) => (isVisible ? interval(POLL_INTERVAL, scheduler) : EMPTY)))

/** What a locked wallet causes: a failed operation, or a balance that is missing. */
const lockHints$ = (phase$: Observable<WalletPhase>, { wallet }: Session): Observable<unknown> =>
  phase$.pipe(
    map(({ connection, error }) => {
      if (error !== null && LOCK_CODES.includes(error.code)) return error
      return connection.status === 'connected' && connection.balance === null && wallet.balance !== undefined
    }),
    distinctUntilChanged(),
    filter((hint) => hint !== false),
  )

const LOCK_CODES: readonly ChainWalletErrorCode[] = ['locked', 'not-connected']

/**
 * Reads the account, and once more after no response in time. Without a second response the wallet is unresponsive; any
 * other failure is ignored, because a wallet that rejects is running.
 */
const probe$ = (wallet: Wallet): Observable<WalletSnapshot | 'unresponsive'> => {
  const read$ = defer(() => wallet.refresh())
  const retried$ = read$.pipe(
    catchError((error: unknown) => (hasNoResponse(error) ? of('unresponsive' as const) : EMPTY)),
  )
  return read$.pipe(catchError((error: unknown) => (hasNoResponse(error) ? retried$ : EMPTY)))
}

const hasNoResponse = (error: unknown): boolean =>
  error instanceof ChainWalletError && (error.code === 'timeout' || error.code === 'not-sent')

function toResult(
  wallet: Wallet,
  probe: WalletSnapshot | 'unresponsive',
  connection: WalletConnection,
): PollResult | null {
  if (probe === 'unresponsive') return probe
  return isShown(wallet, probe, connection) ? null : 'changed'
}

function isShown(wallet: Wallet, snapshot: WalletSnapshot, connection: WalletConnection): boolean {
  if (snapshot.status !== 'open') return connection.status === snapshot.status
  const account = isValidAddress(snapshot.account.address) ? checkAccount(wallet, snapshot.account) : null
  if (account === 'wrong-network') return connection.status === account
  return account !== null && connection.status === 'connected' && isSameAccount(connection.account, account)
}
