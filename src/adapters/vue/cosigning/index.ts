/** Entry point of payments by several signers in Vue apps: `useCosigning` and `<CosignReview>`. */

export { useCosigning } from './useCosigning.js'
export type { UseCosigningReturn } from './useCosigning.js'
export { CosignReview } from './CosignReview.js'
export type { CosignReviewProps } from './CosignReview.js'
export type { CosignReviewSlots, CosignReviewTexts } from './review-replacements.js'
export type { DescriptorOptions } from '../../../cosigning/create-cosigning.js'
export type { CosigningAccount, CosigningAccountOptions } from '../../../streams/accounts/cosigning-account.js'
export type { CosignerState, CosigningKeys, FromPskbOptions, Proposal } from '../../../operations/cosigning/records.js'
export { ChainError } from '../../../errors/chain-error.js'
