import type { Observable } from 'rxjs'
import type { ChainError } from '../../errors/chain-error.js'
import type { JournalEvent, PayoutAttempt, PayoutRecord } from './journal.js'
import type { PayoutProgress, PayoutStateName } from './progress.js'

/** A signed transaction of a payout's group. */
export interface PayoutAttemptState extends Pick<
  PayoutAttempt,
  'transactionId' | 'kind' | 'fee' | 'acceptedBlueScore' | 'acceptingBlock' | 'outcome' | 'lastResponse'
> {
  /** Whether it pays the payout: a cancellation does not. */
  readonly pays: boolean
}

/** A payout: its request, how far it is, and what was signed for it. */
export type PayoutState = PayoutProgress &
  Pick<PayoutRecord, 'id' | 'address' | 'amount' | 'notBefore' | 'requestedAt' | 'sequence'> & {
    /** Oldest first. */
    readonly attempts: readonly PayoutAttemptState[]
  }

export interface ListOptions {
  /** Only those in this state. */
  readonly state?: PayoutStateName | undefined
  /** After the payout with this `sequence`, in the order of the list. */
  readonly after?: bigint | undefined
  /** Which requests come first. @default 'oldest' */
  readonly order?: 'oldest' | 'newest' | undefined
  /** @default 100 */
  readonly limit?: number | undefined
}

/** A list of payouts that is followed. */
export interface PayoutList {
  readonly payouts: readonly PayoutState[]
  /** Why they could not be read at last, and are older ones; null otherwise. */
  readonly error: ChainError | null
}

export interface WaitOptions {
  /** How deep its block must be, in blue score. @default until it is settled */
  readonly confirmations?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Reads payouts and follows them: what user interfaces need of a queue. */
export interface PayoutReader {
  /** A payout; null where the id is unknown. */
  get(id: string): Promise<PayoutState | null>
  /** Payouts in the order of their requests, or the latest ones first. */
  list(options?: ListOptions): Promise<readonly PayoutState[]>
  /** As `list`: replays the current payouts, emits changes, never errors. */
  list$(options?: ListOptions): Observable<PayoutList>
  /**
   * The state of a payout: replays the current one, emits changes, completes with `settled` and `cancelled`. Never
   * errors.
   */
  state$(id: string): Observable<PayoutState>
  /**
   * The events of all payouts in their order, each with a number to go on after: at least once, for mails and webhooks.
   * Ends with `signal`.
   */
  events(options?: {
    readonly after?: bigint | undefined
    readonly signal?: AbortSignal | undefined
  }): AsyncIterableIterator<JournalEvent>
}
