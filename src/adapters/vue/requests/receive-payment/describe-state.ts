import type { RequestTerms } from '../../../../streams/requests/terms.js'
import type { PaymentRequestState, PaymentRequestStatus } from '../../../../streams/requests/state.js'
import { toAmountText } from '../../../../model/amount.js'
import type { ReceivePaymentTexts } from './replacements.js'
import { h, type VNode } from 'vue'

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

/** Shapes beside the words, so that no state differs by its colour alone. */
const PATHS: Readonly<Record<DescribedState['tone'], string>> = {
  unknown: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  waiting: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M8 5v3.2l2 1.6',
  seen: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M5.2 8h.1M8 8h.1M10.8 8h.1',
  'partly-paid': 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M8 5.5v5M5.5 8h5',
  paid: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M5.4 8.2l1.9 1.9l3.4-4',
  confirmed: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M5.4 8.2l1.9 1.9l3.4-4',
  expired: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M6 6l4 4M10 6l-4 4',
}

export const mark = (tone: DescribedState['tone']): VNode =>
  h('svg', { viewBox: '0 0 16 16', width: 20, height: 20 }, [
    h('path', {
      d: PATHS[tone],
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.4,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
  ])
