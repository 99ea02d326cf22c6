import type { Observable } from 'rxjs'
import type { ChainNetwork } from '../../model/network.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import type { OutpointKey } from '../../model/utxo.js'
import type { PayoutEvent, PayoutProgress, PayoutStateName } from './progress.js'

/** One payment of a queue, as its caller requested it. */
export interface PayoutRequest {
  /** The caller's own, unique in the journal for ever: 1 to 255 characters. */
  readonly id: string
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
  /** Unix ms before which it is not signed; null for at once. */
  readonly notBefore: number | null
}

/** A request with what has become of it. */
export interface PayoutRecord extends PayoutRequest {
  /** Rises with each request. */
  readonly sequence: bigint
  /** Unix ms. */
  readonly requestedAt: number
  /** Rises with each change: a change is written only over the version that it was decided from. */
  readonly version: number
  /** The group that pays it; null before it is signed. */
  readonly group: string | null
  readonly progress: PayoutProgress
}

/** Why an attempt was signed: `pay` is the first one, `again` one after a conflict (`docs/payouts.md`). */
export type AttemptKind = 'pay' | 'bump' | 'cancel' | 'again'

/** A signed transaction of a group. At most one of them can be accepted: each shares an input with all others. */
export interface PayoutAttempt {
  readonly transactionId: string
  /** From 0. */
  readonly number: number
  readonly kind: AttemptKind
  readonly signed: SerializedTransaction
  /** Sompi. */
  readonly fee: bigint
  /** The ids that it pays, in the order of its outputs. */
  readonly pays: readonly string[]
  /** Of the chain block that accepted it; null where none has. */
  readonly acceptedBlueScore: bigint | null
  readonly acceptingBlock: string | null
  /** Null before a node has replied. */
  readonly outcome: 'relayed' | 'unknown' | null
  /** What a node replied last; null where it took it. */
  readonly lastResponse: string | null
}

/** An input of a group that a transaction has spent which is no attempt of it, or that is missing. */
export interface GroupConflict {
  readonly outpoint: OutpointKey
  readonly transactionId: string
  /** Of the chain block that accepted that transaction. */
  readonly blueScore: bigint
  /**
   * A reorg has undone `transactionId`, which the input depends on, and the chain did not have it at `blueScore`. It
   * may accept it again: then the conflict ends.
   */
  readonly isMissing?: boolean | undefined
}

/**
 * The payouts that one transaction pays, or one of its replacements. `settled`: an attempt is accepted, deep enough.
 * `excluded`: an input was spent by another transaction, or is missing, deep enough. Its id is that of its first
 * attempt.
 */
export interface PayoutGroup {
  readonly id: string
  readonly state: 'open' | 'settled' | 'excluded'
  readonly version: number
  /** Sompi per gram that a replacement was requested with; null where none was. */
  readonly bumpRate: number | null
  readonly conflicts: readonly GroupConflict[]
  /** By number. */
  readonly attempts: readonly PayoutAttempt[]
  readonly payouts: readonly PayoutRecord[]
}

/** A debit of a paying address by a transaction that is no attempt of the journal. */
export interface ForeignDebit {
  readonly transactionId: string
  readonly isAcknowledged: boolean
  /** Payouts to a recipient of it. */
  readonly ids: readonly string[]
}

/** What a journal stores for a wallet, beside payouts and groups. */
export interface JournalWallet {
  /** The position up to which the chain was read; null before the first payment. */
  readonly cursor: string | null
  /** Whether nothing is signed until `resume()`. */
  readonly isOnHold: boolean
  readonly debits: readonly ForeignDebit[]
}

/** An event of the durable sequence. */
export interface JournalEvent {
  /** Rises from event to event, with gaps. */
  readonly number: bigint
  readonly id: string
  readonly event: PayoutEvent
  /** Unix ms. */
  readonly at: number
}

/** A changed payout: written over `version` only. */
export interface PayoutUpdate extends Pick<PayoutRecord, 'id' | 'version' | 'group' | 'progress'> {
  readonly events: readonly PayoutEvent[]
}

export type GroupUpdate = Pick<PayoutGroup, 'id' | 'version' | 'state' | 'bumpRate' | 'conflicts'>

/** What the chain shows of an attempt. */
export type AttemptUpdate = Pick<PayoutAttempt, 'transactionId' | 'acceptedBlueScore' | 'acceptingBlock'>

/** What a node replied to an attempt. */
export type AttemptReply = Pick<PayoutAttempt, 'transactionId' | 'outcome' | 'lastResponse'>

/** A signed transaction to store: its group is created where it is the first one. */
export interface NewAttempt {
  readonly group: string
  readonly attempt: PayoutAttempt
  /** The outpoints that no other attempt of the group spends. */
  readonly claims: readonly OutpointKey[]
}

/** An outpoint with the group that claims it. */
export interface OutpointClaim {
  readonly group: string
  readonly outpoint: OutpointKey
}

/** What is written together, or not at all. */
export interface JournalChange {
  readonly payouts?: readonly PayoutUpdate[]
  readonly groups?: readonly GroupUpdate[]
  readonly attempts?: readonly AttemptUpdate[]
  readonly replies?: readonly AttemptReply[]
  readonly newAttempt?: NewAttempt
  /** Claims that end: only a replacement has spent these outputs that was not accepted. Those of other groups stay. */
  readonly released?: readonly OutpointClaim[]
  /** Claims that begin again, because a reorg has undone what had ended them; those that are there stay. */
  readonly reclaimed?: readonly OutpointClaim[]
  /** Written over `from` only. */
  readonly cursor?: { readonly from: string | null; readonly to: string }
  readonly isOnHold?: boolean
  /** Added, or acknowledged. */
  readonly debits?: readonly ForeignDebit[]
}

/** Which groups are read. */
export type GroupQuery =
  /** Those that are not settled. */
  | { readonly of: 'open' }
  /** Open ones for which a caller has requested a replacement, or a cancellation. */
  | { readonly of: 'requested' }
  | { readonly of: 'ids' | 'transactions'; readonly ids: readonly string[] }
  /** Those with an attempt that a chain block above this blue score accepted, and those that one excluded. */
  | { readonly of: 'above'; readonly blueScore: bigint }

/** Which payouts are read, by default in the order of their requests. */
export interface PayoutQuery {
  readonly states?: readonly PayoutStateName[] | undefined
  /** Only those to one of these addresses. */
  readonly addresses?: readonly string[] | undefined
  /** After the payout with this sequence. */
  readonly after?: bigint | undefined
  /** Latest requests first: then `after` reads older ones. */
  readonly isNewestFirst?: boolean | undefined
  readonly limit: number
}

/** What is pruned: what is as old, and so deep that no reorg undoes it. */
export interface PruneQuery {
  /** Unix ms. */
  readonly olderThan: number
  /** Signed transactions of settled groups, accepted at this blue score or below. */
  readonly blueScore: bigint
  /** Rows of each kind, at most. */
  readonly limit: number
}

/** How many rows were pruned. */
export interface Pruned {
  /** Signed transactions. */
  readonly attempts: number
  readonly events: number
}

/** The sums of a wallet by state. */
export interface StateCount {
  readonly state: PayoutStateName
  readonly count: number
  /** Unix ms of the oldest request. */
  readonly oldest: number
}

/**
 * Reads and writes the rows of one wallet. All methods reject with `PayoutError` (`journal-unavailable`) or
 * `SessionDropped`.
 */
export interface JournalAccess {
  /**
   * Stores a request unless its id is known; resolves to the stored record. `client`: the caller's database
   * transaction.
   */
  add(request: PayoutRequest, client?: unknown): Promise<PayoutRecord>
  find(ids: readonly string[]): Promise<readonly PayoutRecord[]>
  list(query: PayoutQuery): Promise<readonly PayoutRecord[]>
  /** The oldest payouts that may be signed now. */
  due(limit: number): Promise<readonly PayoutRecord[]>
  groups(query: GroupQuery): Promise<readonly PayoutGroup[]>
  wallet(): Promise<JournalWallet>
  /** Those outpoints that cannot be spent: claimed by a group, or outputs of one that is not settled. */
  taken(outpoints: readonly OutpointKey[]): Promise<ReadonlySet<OutpointKey>>
  /** Events after a number, oldest first; none that a later one could come before. */
  events(after: bigint, limit: number): Promise<readonly JournalEvent[]>
  counts(): Promise<readonly StateCount[]>
  /**
   * Removes the outputs of signed transactions, and events. Payouts, claims and the ids of transactions stay for ever:
   * a node that is behind could list an output that was spent. Absent where a journal keeps everything.
   */
  prune?(query: PruneQuery): Promise<Pruned>
  /** Writes a change; resolves to false, with nothing written, where a row has changed since it was decided from. */
  write(change: JournalChange): Promise<boolean>
}

/** The time in which one instance signs and follows the chain. */
export interface JournalSession extends JournalAccess {
  /** Rejects with `SessionDropped` once the connection is lost; never resolves. */
  readonly dropped: Promise<never>
  /** Lets another instance work. Never rejects. */
  close(): Promise<void>
}

/** The wallet of a journal: `name` is the column `wallet`, and a part of the lease. */
export interface JournalScope {
  readonly network: ChainNetwork
  readonly name: string
}

/**
 * Stores payouts: `postgresJournal`, `pgliteJournal`, `indexedDbJournal`, `memoryJournal`. `vue-chain/payouts/testing`
 * has the tests that one of your own must pass.
 */
export interface PayoutJournal {
  /** False: a crash loses everything, so that real networks are refused. */
  readonly isDurable: boolean
  /** The IndexedDB database that has it, in a page: tabs that share claims select nothing that it has signed. */
  readonly database?: string | undefined
  /** Access without the lease, from any instance. */
  access(scope: JournalScope): JournalAccess
  /**
   * Waits until no other instance works, then opens the session. Rejects with `SessionDropped` where an attempt is
   * worth repeating.
   */
  open(scope: JournalScope, signal: AbortSignal): Promise<JournalSession>
  /** Emits after changes of the wallet, also of other instances; may emit without one. Errors never. */
  changes$(scope: JournalScope): Observable<void>
}

/** How often a journal looks for changes of other instances, in ms: a notification is a hint. */
export const POLL_INTERVAL = 1_000

/** Nothing was read or written yet. */
export const NEW_WALLET: JournalWallet = { cursor: null, isOnHold: false, debits: [] }
