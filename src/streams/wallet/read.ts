import {
  catchError,
  connect,
  defer,
  map,
  merge,
  of,
  startWith,
  switchAll,
  switchMap,
  takeUntil,
  timer,
  type Observable,
  type SchedulerLike,
  EMPTY,
  distinctUntilChanged,
  exhaustMap,
  filter,
  interval,
  withLatestFrom,
} from 'rxjs'
import type { Wallet, WalletAccount, WalletSnapshot } from '../../wallets/port.js'
import { isValidAddress } from '../../model/address.js'
import { isAddressOnNetwork, networkOfAddress } from '../../model/network-of-address.js'
import type { Reading, Session, WalletConnection, WalletPhase } from './phases.js'
import { invalidAccount } from './prompt-errors.js'
import { ChainWalletError, type ChainWalletErrorCode } from '../../errors/wallet-error.js'
import type { Platform } from '../../platform/port.js'
import { isCurrent, isSameAccount } from './reduce-wallet.js'

/** Ms for which an account is withheld until its balance is read; a wallet queries its network for the balance. */
const BALANCE_WAIT = 1_000

/** Reads a wallet: account and balance together, or the account first when the balance takes longer. */
export const read$ = (wallet: Wallet, scheduler: SchedulerLike): Observable<Reading> =>
  defer(() => wallet.refresh()).pipe(
    switchMap((snapshot) =>
      snapshot.status === 'open' ? withBalance$(wallet, snapshot.account, scheduler) : of(snapshot),
    ),
  )

/**
 * An account with its balance; none of either while address and network contradict each other. Errors if the address is
 * invalid: every account becomes state here.
 */
export function withBalance$(wallet: Wallet, read: WalletAccount, scheduler: SchedulerLike): Observable<Reading> {
  const account = checkAccount(wallet, read)
  if (account === 'wrong-network') return of({ status: account })
  if (wallet.balance === undefined) return of({ status: 'open', account, balance: null })
  const { balance } = wallet
  return defer(balance).pipe(
    catchError(() => of(null)), // the account is usable without its balance
    connect((balance$) =>
      merge(
        balance$,
        timer(BALANCE_WAIT, scheduler).pipe(
          map(() => undefined),
          takeUntil(balance$),
        ),
      ),
    ),
    map((value) => ({ status: 'open', account, balance: value })),
  )
}

/**
 * The first reading of a wallet, started again on each hint, since an earlier result may belong to another account.
 * Does not complete with the reading: take one.
 */
export const untilComplete$ = (wallet: Wallet, first$: Observable<Reading>, scheduler: SchedulerLike) =>
  wallet.hints$.pipe(
    map(() => read$(wallet, scheduler)),
    startWith(first$),
    switchAll(),
  )

/**
 * An account whose address has a valid checksum and a known prefix; its network is that of the prefix if the wallet
 * reports none. `wrong-network` if the prefix contradicts the reported network: the wallet still has to replace its
 * address, and a balance or a payment would be of the network that the user has left. Throws `ChainWalletError`
 * (`unexpected-response`) for an invalid address: the page would otherwise show one that loses payments.
 */
export function checkAccount(
  { networks }: Pick<Wallet, 'networks'>,
  account: WalletAccount,
): WalletAccount | 'wrong-network' {
  const { address } = account
  if (!isValidAddress(address)) throw invalidAccount(address)
  if (!isAddressOnNetwork(address, account.network)) return 'wrong-network'
  return { ...account, network: account.network ?? networkOfAddress(address, networks) }
}

/** Ms between two reads of a wallet's account while the page is visible. Such a read needs no user and no network. */
const POLL_INTERVAL = 5_000

/** The wallet's account differs from the state, or the wallet no longer responds. */
type PollResult = 'changed' | 'unresponsive'

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
