import type { RequestTerms } from '../../../../streams/requests/terms.js'
import type { PaymentRequestState, PaymentRequestStatus } from '../../../../streams/requests/state.js'
import { toAmountText } from '../../../../model/amount.js'
import type { ReceivePaymentTexts } from './texts.js'

/** The state in words. */
export interface DescribedState {
  /** Changes once for each status, not with each confirmation. */
  readonly text: string
  readonly notes: readonly string[]
  /** How many confirmations the payment with the fewest has; null where none are counted. */
  readonly confirmations: string | null
  /** Whether the payer has something to do. */
  readonly isPayable: boolean
  /** `unknown` before the first look; otherwise the status. */
  readonly tone: PaymentRequestStatus | 'unknown'
}

export function describeState(
  state: PaymentRequestState,
  { network, confirmations }: Pick<RequestTerms, 'network' | 'confirmations'>,
  texts: ReceivePaymentTexts,
): DescribedState {
  const { status, freshness, missing, excess, isLate, wasReverted, isExpired } = state
  const isUnknown = freshness === 'unknown'
  const isReverted = wasReverted && missing > 0n
  const notes = [
    freshness === 'stale' && (isExpired && missing > 0n ? texts.expiredStale : texts.stale),
    isReverted && texts.reverted,
    isLate && missing === 0n && texts.late,
    excess > 0n && texts.excess(toAmountText(excess, network)),
  ]
  const count = Math.min(...state.payments.filter(({ isAccepted }) => isAccepted).map((one) => one.confirmations))
  return {
    text: isUnknown ? texts.lookingUp : textOf(state, network, texts),
    notes: notes.filter((note) => note !== false),
    confirmations: status === 'paid' ? texts.confirmations(count, confirmations) : null,
    isPayable: !isUnknown && status !== 'expired' && missing > 0n,
    tone: isUnknown ? 'unknown' : status,
  }
}

function textOf(
  { status, received, missing, freshness }: PaymentRequestState,
  network: RequestTerms['network'],
  texts: ReceivePaymentTexts,
): string {
  switch (status) {
    case 'waiting':
    case 'seen':
    case 'paid':
    case 'confirmed':
      return texts[status]
    case 'partly-paid':
      return texts.partlyPaid(toAmountText(received, network), toAmountText(missing, network))
    case 'expired':
      return freshness === 'stale' ? texts.lookingUp : texts.expired
  }
}
