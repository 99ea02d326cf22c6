import type { Proposal } from '../../../../operations/cosigning/records.js'
import type { CosignReviewTexts } from './texts.js'

/** What a cosigner should look at before signing. */
export function warningsOf({ review, rejectedSignatures }: Proposal, texts: CosignReviewTexts): readonly string[] {
  const foreign = review.transactions.flatMap(({ inputs }) => inputs.filter(({ isOwn }) => !isOwn)).length
  const isForgetful = !review.areAmountsCommitted && !review.isAmountMemoryDurable
  const found = [
    !review.areAmountsVerified && texts.unverified,
    isForgetful && texts.forgetful,
    foreign > 0 && texts.foreign(foreign),
    rejectedSignatures.length > 0 && texts.rejected(rejectedSignatures.length),
  ]
  return found.filter((text) => text !== false)
}
