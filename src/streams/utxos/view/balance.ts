import type { Observable } from 'rxjs'
import type { UtxoBalance } from '../../../model/utxo.js'
import type { FollowedAddresses } from '../../addresses.js'
import type { UtxoOptions, UtxoState } from './state.js'

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

export const ZERO_BALANCE: Balance = { total: 0n, mature: 0n, unconfirmed: 0n, immature: 0n, bound: 0n }

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
