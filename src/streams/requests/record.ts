import type { Outpoint, OutpointKey } from '../../model/utxo.js'
import type { KnownPayment, PaymentAcceptance } from './state.js'

/** What is known of a request, without its terms. */
export interface RequestRecord {
  readonly payments: ReadonlyMap<OutpointKey, PaymentRecord>
  /** The blue score that the chain was followed to; 0n before. */
  readonly tip: bigint
  /** Unix ms. */
  readonly now: number
  readonly wasReverted: boolean
  /** The mempool, at the time of its last look. */
  readonly mempool: Followed
  /** The chain, at the time of its last step. */
  readonly chain: Followed
}

/** How far mempool or chain are known: not yet (at 0), as of a time in Unix ms, or currently. */
export interface Followed {
  readonly step: 'unknown' | 'behind' | 'current'
  readonly at: number
}

/** An output that pays a request, or did. */
export interface PaymentRecord extends Omit<KnownPayment, 'acceptance'> {
  readonly phase: PaymentPhase
  /** What its transaction spends, as far as it is known: a replacement spends one of these. */
  readonly inputs: readonly Outpoint[]
}

/**
 * - `listed`: in the mempool as of the last look. `left`: no longer there; `blocks` chain blocks followed the sink of
 *   that look, up to two: a block may include it that no chain block has merged.
 * - `accepted`: by a chain block. `reverted`: a reorg undid that, and the new branch is not followed to its end yet.
 * - `dropped`: evicted, replaced, or not accepted again. Remembered for the time at which it was first seen.
 */
export type PaymentPhase =
  | { readonly step: 'listed' | 'reverted' | 'dropped' }
  | { readonly step: 'left'; readonly above: bigint; readonly blocks: number }
  | ({ readonly step: 'accepted' } & PaymentAcceptance)

/** An output as the mempool or the chain shows it. */
export type SeenPayment = Pick<PaymentRecord, 'outpoint' | 'amount' | 'counterparties' | 'inputs'>

/** An output that a chain block has accepted. */
export interface AcceptedPayment extends SeenPayment, PaymentAcceptance {
  /** Unix ms, set by the miner of the accepting block; null for an opening credit, which was there in time. */
  readonly timestamp: number | null
}

/** A look at the mempool. */
export interface MempoolLook {
  /** All outputs that pay the request. */
  readonly outputs: readonly SeenPayment[]
  /** When it began, in Unix ms. */
  readonly at: number
  /** The sink's blue score after the look. */
  readonly sink: bigint
}

/** A step along the virtual chain. */
export interface ChainStep {
  /** The blue score above which everything is undone; null for the usual case. */
  readonly rollback: bigint | null
  readonly credits: readonly AcceptedPayment[]
  /** The blue score of the last block. */
  readonly tip: bigint
  /** Unix ms. */
  readonly at: number
  /** Whether the end of the chain was reached. */
  readonly isLive: boolean
}

export type RequestEvent =
  | ({ readonly type: 'mempool' } & MempoolLook)
  | ({ readonly type: 'chain' } & ChainStep)
  | { readonly type: 'clock'; readonly at: number }
  /** The connection ended, or the mempool or chain cannot be read. */
  | { readonly type: 'interrupted'; readonly part?: 'mempool' | 'chain' | undefined }
