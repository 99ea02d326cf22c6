import type { PaymentRequestState } from './state.js'

/** The state of a request that is not followed yet: on a server, and before the first look. */
export const UNKNOWN_REQUEST: PaymentRequestState = {
  status: 'waiting',
  received: 0n,
  pending: 0n,
  confirmed: 0n,
  missing: 0n,
  excess: 0n,
  refunded: 0n,
  isLate: false,
  isExpired: false,
  wasReverted: false,
  payments: [],
  freshness: 'unknown',
}
