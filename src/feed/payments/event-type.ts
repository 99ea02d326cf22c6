import type { PaymentRequestState } from '../../streams/requests/state.js'
import type { PaymentEventType } from './payment.js'

/**
 * The event between two states of a request; null where only depths, the freshness or the expiry of what is paid have
 * changed.
 */
export function eventTypeOf(before: PaymentRequestState, after: PaymentRequestState): PaymentEventType | null {
  if (after.received < before.received || after.wasReverted !== before.wasReverted) return 'reverted'
  if (after.status !== before.status) return after.status
  const isOpen = after.status === 'seen' || after.status === 'partly-paid'
  if (isOpen && after.isExpired !== before.isExpired) return 'expired'
  if (after.refunded !== before.refunded) return 'refunded'
  const isSame =
    after.received === before.received &&
    after.pending === before.pending &&
    after.confirmed === before.confirmed &&
    after.isLate === before.isLate
  return isSame ? null : 'updated'
}
