import type { CosignerState, Proposal, ReviewedOutput } from '../../../operations/cosigning/records.js'

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

/** All texts of the component, for translation. Amounts come with their unit. */
export interface CosignReviewTexts {
  readonly title: string
  /** What the account loses, above the amount. */
  readonly spends: string
  readonly recipients: string
  readonly fee: string
  readonly change: string
  /** How many transactions the payment has, where there are several. */
  readonly transactions: (count: number) => string
  readonly payload: string
  /** Inputs of others. */
  readonly foreign: (count: number) => string
  /** No node has confirmed the amounts. */
  readonly unverified: string
  /** Neither the transactions commit to the amounts, nor does the device remember what it signs. */
  readonly forgetful: string
  /** Signatures that were dropped. */
  readonly rejected: (count: number) => string
  readonly signers: string
  /** A cosigner by its number, from 1. */
  readonly cosigner: (number: number, isOwn: boolean) => string
  readonly signed: Readonly<Record<'all' | 'some' | 'none', string>>
  readonly complete: string
  readonly incomplete: string
  /** Nothing is open. */
  readonly empty: string
}

export const ENGLISH: CosignReviewTexts = {
  title: 'Payment to sign',
  spends: 'The account pays',
  recipients: 'To',
  fee: 'Fee, included',
  change: 'Back to the account',
  transactions: (count) => `In ${count} transactions`,
  payload: 'Payload',
  foreign: (count) => (count === 1 ? 'One input is of somebody else' : `${count} inputs are of somebody else`),
  unverified: 'No node has confirmed the amounts: the fee may be higher than it says here.',
  forgetful: 'This device does not remember the amounts that it signs: sign this payment once only.',
  rejected: (count) => (count === 1 ? 'One signature is not valid.' : `${count} signatures are not valid.`),
  signers: 'Signatures',
  cosigner: (number, isOwn) => (isOwn ? `Cosigner ${number} (you)` : `Cosigner ${number}`),
  signed: { all: 'Signed', some: 'Signed in part', none: 'Not signed' },
  complete: 'All signatures are there',
  incomplete: 'More signatures are needed',
  empty: 'No payment is open',
}
