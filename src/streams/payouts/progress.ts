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

/** The next progress; the same object where the event has no meaning. */
export function reducePayout(progress: PayoutProgress, event: PayoutEvent): PayoutProgress {
  switch (event.type) {
    case 'requested':
    case 'bumped':
      return progress
    case 'waiting':
      return wait(progress, event)
    case 'stored':
      if (isUnsigned(progress)) return { state: 'signed' }
      return progress.state === 'conflicting' ? sent(progress, 'signed') : progress
    case 'submitted':
      return progress.state === 'signed' && event.outcome === 'relayed' ? { state: 'relayed' } : progress
    case 'accepted':
      return accept(progress, event)
    case 'settled':
      return progress.state === 'accepted' ? { ...progress, state: 'settled' } : progress
    case 'rolled-back':
      return isAbove(progress, event.blueScore) && progress.state !== 'settled' ? sent(progress, 'relayed') : progress
    case 'unsettled':
      return unsettle(progress, event.blueScore)
    case 'conflict':
      return isSent(progress) ? conflict(progress, event) : progress
    case 'cancel-requested':
      return requestCancellation(progress)
    case 'cancelled':
      return isCancelling(progress) ? { state: 'cancelled', transactionId: event.transactionId } : progress
    case 'released':
      return progress.state === 'conflicting' ? release(progress) : progress
  }
}

/** Whether nothing was signed for it yet. */
export const isUnsigned = ({ state }: PayoutProgress): boolean => state === 'queued' || state === 'waiting'

const isSent = ({ state }: PayoutProgress): boolean =>
  state === 'signed' || state === 'relayed' || state === 'cancelling'

/** Whether a replacement without it was requested, and nothing is accepted. */
const isCancelling = (progress: PayoutProgress): boolean =>
  progress.state === 'cancelling' || (progress.state === 'conflicting' && progress.isCancelling)

/** What was to be cancelled is not paid again. */
const release = (progress: PayoutProgress): PayoutProgress =>
  isCancelling(progress) ? { state: 'cancelled', transactionId: null } : QUEUED

function wait(progress: PayoutProgress, { reason, missing }: Extract<PayoutEvent, { type: 'waiting' }>) {
  if (!isUnsigned(progress)) return progress
  const isSame = progress.state === 'waiting' && progress.reason === reason && progress.missing === missing
  return isSame ? progress : ({ state: 'waiting', reason, missing } as const)
}

/** A cancellation that was requested still is. */
function sent(progress: PayoutProgress, state: 'signed' | 'relayed'): PayoutProgress {
  return { state: 'isCancelling' in progress && progress.isCancelling ? 'cancelling' : state }
}

function accept(
  progress: PayoutProgress,
  { transactionId, blueScore }: Extract<PayoutEvent, { type: 'accepted' }>,
): PayoutProgress {
  if (isSent(progress))
    return { state: 'accepted', transactionId, blueScore, isCancelling: progress.state === 'cancelling' }
  if (progress.state !== 'accepted' && progress.state !== 'conflicting') return progress
  if (progress.state === 'accepted' && progress.transactionId === transactionId && progress.blueScore === blueScore)
    return progress
  return { state: 'accepted', transactionId, blueScore, isCancelling: progress.isCancelling }
}

const isAbove = (progress: PayoutProgress, blueScore: bigint): boolean =>
  'blueScore' in progress && progress.blueScore > blueScore

/** A reorg deeper than `minConfirmations`. A cancellation before the signature has no block. */
function unsettle(progress: PayoutProgress, blueScore: bigint): PayoutProgress {
  if (progress.state === 'settled') return isAbove(progress, blueScore) ? sent(progress, 'relayed') : progress
  return progress.state === 'cancelled' && progress.transactionId !== null ? { state: 'cancelling' } : progress
}

const conflict = (
  progress: PayoutProgress,
  { transactionId, blueScore }: Extract<PayoutEvent, { type: 'conflict' }>,
): PayoutProgress => ({
  state: 'conflicting',
  transactionId,
  blueScore,
  isCancelling: progress.state === 'cancelling',
})

function requestCancellation(progress: PayoutProgress): PayoutProgress {
  if (isUnsigned(progress)) return { state: 'cancelled', transactionId: null }
  if (progress.state === 'signed' || progress.state === 'relayed') return { state: 'cancelling' }
  return progress.state === 'conflicting' && !progress.isCancelling ? { ...progress, isCancelling: true } : progress
}
