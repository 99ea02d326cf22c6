import type { Observable } from 'rxjs'
import type { ChainError } from '../../errors/chain-error.js'
import type { UtxoBalance, UtxoEntry } from '../../model/utxo.js'

/**
 * How far what is shown can be trusted:
 * - `unknown`: nothing was ever read; a balance of 0n means nothing. `loading`: the first snapshot is under way.
 * - `fresh`: what the node knows. `stale`: what the node knew; it is being read again, or cannot be.
 */
export type Freshness = 'unknown' | 'loading' | 'fresh' | 'stale'

/** Why a ledger is not fresh; null where it is. */
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

/** What is known of the outputs of some addresses. The arrays are built when they are first read, and then stay. */
export interface UtxoState {
  readonly addresses: readonly string[]
  /** Confirmed entries, unripe coinbase included, in no promised order. */
  readonly entries: readonly UtxoEntry[]
  /** What may be spent now: ripe, bound by no covenant, not reserved by a payment under way. */
  readonly matureEntries: readonly UtxoEntry[]
  readonly balance: UtxoBalance
  readonly freshness: Freshness
  readonly reason: StaleReason | null
  /** What went wrong; null where nothing did. */
  readonly error: ChainError | null
}

export interface UtxoOptions {
  /** Ms between two looks into the mempool for incoming payments; 0 for never. @default 10000 */
  readonly mempoolInterval?: number | undefined
  /** DAA score that must pass before a coinbase output may be spent. @default the network's own */
  readonly coinbaseMaturity?: bigint | undefined
}

/** The outputs of some addresses, live. */
export interface UtxoLedger {
  /**
   * What is known, newest last, at most once a frame. Hot and shared; a late subscriber gets the current state at once.
   * Emits only changes; what it has emitted never changes. The node is subscribed to these addresses while anyone listens,
   * once an address, whoever tracks it, and a second longer. A failure is a value in it, also one of `addresses`: it never
   * errors. Completes with the engine; where `addresses` end, the last ones stay.
   */
  readonly state$: Observable<UtxoState>
  /** Resolves once every address has been read since it was tracked; rejects where that is refused or given up. */
  settled(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** Reads everything again, the mempool too. Resolves when it is in; rejects as a query does. */
  refresh(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
}

/** A ledger of which nobody has asked anything yet. */
export const UNKNOWN_UTXOS: UtxoState = {
  addresses: [],
  entries: [],
  matureEntries: [],
  balance: { mature: 0n, pending: 0n, outgoing: 0n },
  freshness: 'unknown',
  reason: 'idle',
  error: null,
}
