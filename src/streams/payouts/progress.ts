/**
 * Why a payout is not signed yet.
 * - `own-change`: the change of payments that are not settled covers it. `funds`: nothing does.
 * - `fee-too-high`: the fee exceeds `maxFee`. `node`: there is none to read UTXOs from. `signer`: it has rejected, or
 *   its limits do not allow the payment. `recipient`: the address is that of a contract of this engine.
 */
export type WaitingReason = 'own-change' | 'funds' | 'fee-too-high' | 'node' | 'signer' | 'recipient'

/**
 * How far a payout is. Only `settled` means paid: `relayed` says that a node has the transaction, `accepted` that the
 * chain has it, which a reorg may change.
 */
export type PayoutProgress =
  | { readonly state: 'queued' }
  | {
      readonly state: 'waiting'
      readonly reason: WaitingReason
      /** Sompi; null where that is unknown. */
      readonly missing: bigint | null
    }
  | { readonly state: 'signed' | 'relayed' | 'cancelling' }
  | AcceptedProgress
  /** `transactionId` replaced its payment; null where it was cancelled before it was signed. */
  | { readonly state: 'cancelled'; readonly transactionId: string | null }
  | {
      readonly state: 'conflicting'
      /** The transaction that has spent an input of its payment. */
      readonly transactionId: string
      readonly blueScore: bigint
      readonly isCancelling: boolean
    }

/** A payout that the chain has accepted. */
export interface AcceptedProgress {
  readonly state: 'accepted' | 'settled'
  /** The attempt that pays. */
  readonly transactionId: string
  /** Of the chain block that accepted it. */
  readonly blueScore: bigint
  /** Whether a cancellation was requested, which has not been in time. */
  readonly isCancelling: boolean
}

export type PayoutStateName = PayoutProgress['state']

/** What happens to a payout. Blue scores are those of chain blocks. */
export type PayoutEvent =
  | { readonly type: 'requested' }
  | { readonly type: 'waiting'; readonly reason: WaitingReason; readonly missing: bigint | null }
  | { readonly type: 'stored' | 'bumped'; readonly transactionId: string }
  | {
      readonly type: 'submitted'
      readonly transactionId: string
      readonly outcome: 'relayed' | 'unknown'
    }
  | { readonly type: 'accepted'; readonly transactionId: string; readonly blueScore: bigint }
  | { readonly type: 'settled' }
  | { readonly type: 'rolled-back' | 'unsettled'; readonly blueScore: bigint }
  | { readonly type: 'conflict'; readonly transactionId: string; readonly blueScore: bigint }
  | { readonly type: 'cancel-requested' }
  | { readonly type: 'cancelled'; readonly transactionId: string }
  | { readonly type: 'released' }

/** The progress of a payout that was just requested. */
export const QUEUED: PayoutProgress = { state: 'queued' }
