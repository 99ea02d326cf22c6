import type { Outpoint, OutpointKey } from '../../model/utxo.js'
import type { KnownPayment, PaymentAcceptance } from './state.js'
import { BLOCKS_AFTER_MEMPOOL } from '../../model/unconfirmed-transaction.js'

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

/** What happens to one payment. */
type PaymentEvent =
  /** A look at the mempool, after which the sink had this blue score. */
  | { readonly type: 'listed' | 'replaced' }
  | { readonly type: 'absent'; readonly sink: bigint }
  /** The chain was followed to this blue score. */
  | { readonly type: 'followed'; readonly tip: bigint }
  | { readonly type: 'accepted'; readonly credit: AcceptedPayment }
  /** A reorg undoes everything above this blue score. */
  | { readonly type: 'rolled-back'; readonly blueScore: bigint }
  /** The new branch was followed to its end. */
  | { readonly type: 'decided' }

const LISTED: PaymentPhase = { step: 'listed' }
const REVERTED: PaymentPhase = { step: 'reverted' }
const DROPPED: PaymentPhase = { step: 'dropped' }

/** The next record of a payment; the same object where the event has no meaning. */
export function reducePayment(payment: PaymentRecord, event: PaymentEvent): PaymentRecord {
  const { phase } = payment
  switch (event.type) {
    case 'listed':
      return isOfChain(phase) || phase.step === 'listed' ? payment : { ...payment, phase: LISTED }
    case 'replaced':
      return isOfChain(phase) || phase.step === 'dropped' ? payment : { ...payment, phase: DROPPED }
    case 'absent':
      return miss(payment, event.sink)
    case 'followed':
      return count(payment, event.tip)
    case 'accepted':
      return accept(payment, event.credit)
    case 'rolled-back':
      return phase.step === 'accepted' && phase.blueScore > event.blueScore ? { ...payment, phase: REVERTED } : payment
    case 'decided':
      return phase.step === 'reverted' ? { ...payment, phase: LISTED } : payment // the next looks decide
  }
}

/** Whether the chain alone decides: a response of the mempool may be older. */
const isOfChain = ({ step }: PaymentPhase): boolean => step === 'accepted' || step === 'reverted'

/** The first look without it begins the wait for chain blocks, a look after them ends it. */
function miss(payment: PaymentRecord, sink: bigint): PaymentRecord {
  const { phase } = payment
  if (phase.step === 'listed') return { ...payment, phase: { step: 'left', above: sink, blocks: 0 } }
  return phase.step === 'left' && phase.blocks >= BLOCKS_AFTER_MEMPOOL ? { ...payment, phase: DROPPED } : payment
}

/** Counts a chain block that is newer than the look without the payment. */
function count(payment: PaymentRecord, tip: bigint): PaymentRecord {
  const { phase } = payment
  if (phase.step !== 'left' || phase.blocks >= BLOCKS_AFTER_MEMPOOL || tip <= phase.above) return payment
  return { ...payment, phase: { ...phase, blocks: phase.blocks + 1 } }
}

const accept = (
  payment: PaymentRecord,
  { blueScore, depthBefore, counterparties }: AcceptedPayment,
): PaymentRecord => ({
  ...payment,
  counterparties: counterparties.length > 0 ? counterparties : payment.counterparties,
  phase: { step: 'accepted', blueScore, depthBefore },
})
