import type { Proposal } from '../../../operations/cosigning/records.js'

/** Whether two proposals have the same transactions. */
function isSamePayment(one: Proposal, other: Proposal): boolean {
  const ids = ({ review }: Proposal): string => review.transactions.map(({ id }) => id).join()
  return ids(one) === ids(other)
}

/** The next proposal, with the signatures of the one before where it is the same payment. */
export function joinProposals(before: Proposal | null, next: Proposal): Proposal {
  if (before === null || before === next || !isSamePayment(before, next)) return next
  const joined = next.combine(before)
  before.release() // the next one has reserved the inputs itself
  return joined
}

/**
 * The open proposal once `from` was signed, which has one reservation of the inputs with `signed`: a proposal of the
 * same payment that was opened meanwhile has its own.
 */
export function joinSigned(open: Proposal | null, from: Proposal, signed: Proposal): Proposal {
  if (open === null || open === from || !isSamePayment(open, signed)) return signed
  return open.combine(signed)
}
