import type { Observable } from 'rxjs'
import { invalidArgument, type ChainError, refuseUnknown } from '../../../errors/chain-error.js'
import { NO_UTXO_ROWS, UtxoSource } from '../../../model/utxo-source/source.js'
import type { UtxoBalance, UtxoEntry } from '../../../model/utxo.js'
import type { FollowedAddresses } from '../../addresses.js'
import type { WaitOptions } from './wait.js'
import type { InvalidEntries } from '../store/store.js'

/**
 * How far a tracker's state can be trusted:
 * - `unknown`: never loaded; a balance of 0n has no meaning. `loading`: the first snapshot is being fetched.
 * - `fresh`: in sync with the node. `stale`: loaded earlier; a new fetch is pending or not possible.
 */
export type Freshness = 'unknown' | 'loading' | 'fresh' | 'stale'

/**
 * Why a tracker is not fresh; null where it is. `restored`: what an earlier page has stored, with the option
 * `shared.state`; shown until the first snapshot.
 */
export type StaleReason =
  | 'idle'
  | 'disconnected'
  | 'not-synced'
  | 'no-utxo-index'
  | 'subscribing'
  | 'subscription-refused'
  | 'fetching'
  | 'fetch-failed'
  | 'wrong-network'
  | 'restored'

/** UTXOs of some addresses. The arrays are built on first access and then cached. */
export interface UtxoState extends InvalidEntries {
  readonly addresses: readonly string[]
  /** Confirmed entries including immature coinbase, in no particular order. */
  readonly entries: readonly UtxoEntry[]
  /**
   * Entries that may be spent now: mature, without a covenant, not spent by an unconfirmed transaction. None while
   * `reason` is `restored`.
   */
  readonly matureEntries: readonly UtxoEntry[]
  /**
   * The entries for payments: passed as `entries`, a payment reads only those that it spends, and skips those not
   * mature. While `reason` is `restored`, a payment from it waits for the first snapshot, 60 s at most.
   */
  readonly source: UtxoSource
  /** While `reason` is `restored`, `mature` is what was mature at `asOf`. */
  readonly balance: UtxoBalance
  readonly freshness: Freshness
  readonly reason: StaleReason | null
  /** The cause of the failure, also of the connection's; null without one. */
  readonly error: ChainError | null
  /** When the restored state was current, Unix ms; null where `reason` is another. */
  readonly asOf: number | null
}

export interface UtxoOptions {
  /**
   * Ms between two mempool reads; 0 for none, also not after changes of the UTXOs. Own payments count in any case, and
   * what is read for other trackers of the same addresses. @default 10000
   */
  readonly mempoolInterval?: number | undefined
  /** DAA score difference after which a coinbase output is mature. @default the network's own */
  readonly coinbaseMaturity?: bigint | undefined
}

/** Throws `ChainError` (`invalid-argument`) for an option that is unknown, negative or of another type. */
export function checkUtxoOptions(options: UtxoOptions): void {
  refuseUnknown(options, ['mempoolInterval', 'coinbaseMaturity'])
  const { mempoolInterval = 0, coinbaseMaturity = 0n } = options
  const given = [
    ['mempoolInterval', mempoolInterval, 'number'],
    ['coinbaseMaturity', coinbaseMaturity, 'bigint'],
  ] as const
  for (const [name, value, type] of given) {
    if (typeof value !== type || !(value >= 0))
      throw invalidArgument(name, `"${name}" is ${value}: give a ${type} from 0`)
  }
}

/** UTXOs of some addresses, kept up to date. */
export interface UtxoTracker {
  /**
   * The current state, at most once per frame. Hot and shared; replays the current state. Emits only changes; emitted
   * values are immutable. The node is subscribed to each address once, while any tracker of it has subscribers, and
   * for one second longer. A failure, also of the `addresses` stream, is a value in the state: never errors. Completes
   * with the engine; when the `addresses` stream completes, the last addresses stay tracked.
   */
  readonly state$: Observable<UtxoState>
  /** Resolves once every address has been loaded; rejects when that is refused, aborted, late or not possible. */
  ready(options?: WaitOptions): Promise<void>
  /** Fetches everything again, the mempool too. Resolves when it is loaded; rejects as a query does. */
  refresh(options?: WaitOptions): Promise<void>
}

/**
 * A tracker for addresses or an account, which may change. They are tracked while `state$` has subscribers. Throws
 * `ChainError` (`invalid-argument`) for an option that is negative or of another type.
 */
export type FollowUtxos = (addresses: FollowedAddresses, options?: UtxoOptions) => UtxoTracker

/** State of a tracker before its first subscription. */
export const UNKNOWN_UTXOS: UtxoState = {
  addresses: [],
  entries: [],
  matureEntries: [],
  source: /*#__PURE__*/ UtxoSource.of(NO_UTXO_ROWS, null),
  balance: { mature: 0n, pending: 0n, outgoing: 0n },
  freshness: 'unknown',
  reason: 'idle',
  error: null,
  asOf: null,
  invalidEntries: [],
  invalidEntryCount: 0,
}

/** Balance of an address, or of several, in sompi. `total` is the sum of the other four. */
export interface Balance {
  readonly total: bigint
  /** Spendable now; while `reason` is `restored`, what was spendable at `asOf`. */
  readonly mature: bigint
  /** Outputs of transactions that are not accepted yet, change of own payments included. */
  readonly unconfirmed: bigint
  /** Coinbase within its maturity delay. */
  readonly immature: bigint
  /** Accepted outputs that a covenant binds and a key alone may spend: a payment spends them only with `spendBound`. */
  readonly bound: bigint
}

/** Balances of some addresses, with how far they can be trusted. */
export interface BalanceState extends Pick<UtxoState, 'freshness' | 'reason' | 'error' | 'asOf'> {
  /** The sum over all addresses. */
  readonly balance: Balance
  readonly byAddress: Readonly<Record<string, Balance>>
}

/**
 * Balances of addresses or an account, which may change, at most once per frame. Hot and shared; replays the current
 * balances, emits only changes, never errors, completes with the engine. Own payments count at once; those of others
 * as of the last mempool read: the mempool has no notifications. Throws `ChainError` (`invalid-argument`) for an option
 * that is negative or of another type.
 */
export type FollowBalances = (addresses: FollowedAddresses, options?: UtxoOptions) => Observable<BalanceState>

const ZERO_BALANCE: Balance = { total: 0n, mature: 0n, unconfirmed: 0n, immature: 0n, bound: 0n }

/** State of balances before their first subscription. */
export const UNKNOWN_BALANCES: BalanceState = {
  balance: ZERO_BALANCE,
  byAddress: {},
  freshness: 'unknown',
  reason: 'idle',
  error: null,
  asOf: null,
}

export const toBalance = ({ mature, unconfirmed, immature, bound }: Omit<Balance, 'total'>): Balance => ({
  total: mature + unconfirmed + immature + bound,
  mature,
  unconfirmed,
  immature,
  bound,
})

export const isSameBalance = (a: Balance, b: Balance): boolean =>
  a.mature === b.mature && a.unconfirmed === b.unconfirmed && a.immature === b.immature && a.bound === b.bound

export const toUtxoBalance = ({ mature, unconfirmed, immature }: Balance): UtxoBalance => ({
  mature,
  pending: unconfirmed + immature,
  outgoing: 0n,
})

/** Compares `byAddress` by identity. */
export const isSameBalances = (a: BalanceState, b: BalanceState): boolean =>
  a.byAddress === b.byAddress &&
  a.freshness === b.freshness &&
  a.reason === b.reason &&
  a.error === b.error &&
  isSameBalance(a.balance, b.balance)
