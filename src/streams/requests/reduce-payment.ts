import { BLOCKS_AFTER_MEMPOOL } from '../../model/unconfirmed-transaction.js'
import type { AcceptedPayment, PaymentPhase, PaymentRecord } from './record.js'

/** What happens to one payment. */
export type PaymentEvent =
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
