import type { CosignerState, Proposal, ReviewedOutput } from '../../../../operations/cosigning/records.js'

/** Props of each slot. A slot replaces one part. */
export interface CosignReviewSlots {
  /** What the account pays, in sompi, fee included. */
  readonly amount: { readonly amount: bigint; readonly text: string }
  /** A recipient; `to` is its address, or the script in hex where it has none. */
  readonly recipient: { readonly recipient: ReviewedOutput; readonly to: string; readonly text: string }
  /** What to look at before signing; shown where there is something. */
  readonly warnings: { readonly proposal: Proposal; readonly texts: readonly string[] }
  readonly signer: { readonly signer: CosignerState; readonly name: string; readonly text: string }
  /** Whether there are enough signatures. */
  readonly status: { readonly proposal: Proposal; readonly text: string }
  /** The buttons of the app; empty by default. */
  readonly actions: { readonly proposal: Proposal }
  /** In place of everything while no payment is open. */
  readonly empty: { readonly text: string }
}
