import type { Observable } from 'rxjs'
import type { ChainNetwork } from '../model/network.js'
import type { TokenDefinition } from '../model/tokens/define-token.js'
import type { PayoutReader } from '../streams/payouts/payouts.js'
import type { FindCredits } from '../streams/transfers/known-outputs.js'
import type { FindOpenings } from '../streams/transfers/openings.js'
import type { TransferBatch } from '../streams/transfers/transfer.js'
import type { ContractRow } from '../model/contracts/rows.js'
import { ChainError } from '../errors/chain-error.js'

/** Where a feed delivers to: `createPostgresSink`, `createPgliteSink`, `createJetStreamSink`. */
export interface FeedSink {
  /** Whether other programs write the watched addresses into the sink: `watch: 'table'`. */
  readonly hasWatchTable: boolean
  /** How long, in ms, a silent instance keeps the lease; absent where there is none. */
  readonly leaseTimeout?: number | undefined
  /** Whether it has tables of tokens. */
  readonly hasTokenTables?: boolean | undefined
  /** The pool, or the instance of PGlite, that it writes into; absent where a queue of payouts cannot share it. */
  readonly database?: object | undefined
  /**
   * Waits until this instance is the one that delivers, then reads the stored position. Rejects with `SessionDropped`
   * where the attempt is worth repeating, with `ChainError` where it is not, and with the signal's reason.
   */
  open(options: OpenOptions): Promise<FeedSession>
}

export interface OpenOptions {
  readonly network: ChainNetwork
  /** Who writes the watched addresses: other programs, into the sink, or the feed. */
  readonly watch: 'table' | 'given'
  /** Called while the sink is being connected, and after each look at a lease that another instance has. */
  readonly onWait?: ((what: 'connection' | 'lease') => void) | undefined
  /** The queue that works in the session, for a sink with a `database`, and how deep the feed's position is. */
  readonly payouts?: { readonly queue: PayoutReader; readonly minConfirmations: number } | undefined
  /** The tokens that are followed, for a sink with tables of tokens. */
  readonly tokens?: readonly TokenDefinition[] | undefined
  readonly signal: AbortSignal
}

/** One step: a batch of transfers, and the changes of the watched addresses that belong to it. */
export interface FeedStep extends TransferBatch {
  /** The blue score of the position after the batch. */
  readonly blueScore: bigint
  /** Addresses that no longer count, from the position before the batch on. Their rows stay. */
  readonly removed: readonly string[]
  /** The names of the requests that `added` and `removed` fulfil, where they have names. */
  readonly ids: RequestIds
  /** What it changes of tokens, where they are followed. */
  readonly tokens?: TokenStep | undefined
}

/** The time in which one instance delivers, and no other. */
export interface FeedSession {
  /** The stored position; null before the first batch. */
  readonly cursor: string | null
  /** The addresses that count at the stored position. */
  readonly watched: readonly string[]
  /** Those of them that other programs have requested, where the feed itself writes the watched addresses now. */
  readonly requestedByOthers?: ReadonlySet<string> | undefined
  /**
   * Stores a step and its cursor together, or nothing. Resolves to addresses that are no longer wanted, and were left
   * out. Rejects with `SessionDropped` where the outcome is unknown, and with `ChainError` `taken-over` where another
   * instance has delivered.
   */
  write(step: FeedStep): Promise<readonly string[]>
  /**
   * Takes a step that changes nothing here and need not be stored yet. Resolves as `write` where it was stored all the
   * same, to undefined otherwise.
   */
  pass?(step: FeedStep): Promise<readonly string[] | undefined>
  readonly findCredits?: FindCredits | undefined
  readonly findOpenings: FindOpenings
  /**
   * What was stored of tokens, for a sink with tables of tokens. `isWhole`: also outputs that were spent so deep that
   * no reorg undoes it, for a position that is moved back.
   */
  readTokens?(options: { readonly isWhole: boolean }): Promise<StoredTokens>
  /** The changes that other programs have requested, where they write the watched addresses. */
  readonly requests?: RequestTable | undefined
  /** Emits when a renewal of the lease begins, and when it is renewed; absent where there is no lease. */
  readonly heartbeat$?: Observable<'begun' | 'renewed'> | undefined
  /** Rejects with `SessionDropped` once the session is lost; never resolves. */
  readonly dropped: Promise<never>
  /** Lets another instance deliver. Never rejects. */
  close(): Promise<void>
}

/** Requests of other programs. */
export interface RequestTable {
  /** Emits when there may be further requests. */
  readonly changes$: Observable<void>
  /**
   * Requests that were not fulfilled yet: deletions, then additions, all of one moment. An address whose deletion was
   * not stored yet is not among the additions of a sink.
   */
  read(limits: RequestLimits): Promise<readonly AddressRequest[]>
  /** Marks requests that cannot be fulfilled, with the reason for their authors. */
  refuse(addresses: readonly string[], reason: string, ids?: RequestIds): Promise<void>
}

/** A requested change of the watched addresses. */
export interface AddressRequest {
  readonly type: 'added' | 'deleted'
  readonly addresses: readonly string[]
  /** For added addresses: the cursor, or the hash of the chain block, from which they count. */
  readonly since?: string | undefined
  /** Names the request of each address, where a sink distinguishes several requests for one address. */
  readonly ids?: RequestIds | undefined
}

/** The names of requests, by address. */
export type RequestIds = ReadonlyMap<string, string>

/** Which requests are read. */
export interface RequestLimits {
  /** How many addresses to add without `since`. */
  readonly addresses: number
  /** How many different values of `since`. */
  readonly passes: number
  /** Addresses to add whose requests were read, and are not fulfilled yet: they are left out. */
  readonly pending: readonly string[]
}

/** What a step changes of the tokens that a feed follows: stored with it, and undone by its rollback. */
export interface TokenStep {
  /** Outputs that were created, spent, or whose state became known, as they are after the step. */
  readonly rows: readonly ContractRow[]
  /** The covenants of tokens of which outputs are not known: not an empty balance. */
  readonly incomplete: readonly string[]
}

/** What an earlier session has stored of tokens. */
export interface StoredTokens extends TokenStep {
  /** Those that have been followed up to the stored position. */
  readonly covenants: readonly string[]
}

/** The error of an instance that was not the one to deliver. */
export const takenOver = (): ChainError<'taken-over'> =>
  new ChainError('The batch was not stored: another instance has delivered in the meantime', {
    code: 'taken-over',
    hint: 'Start the feed again: it waits until the other instance ends.',
  })
