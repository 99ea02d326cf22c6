import { type PaymentRequestRecord, toStateJson } from '../../feed/payments/payment.js'

/** A request as JSON: amounts are sompi as decimal texts. `page` is the path of its page. */
export const toJson = (record: PaymentRequestRecord, page: string) => ({
  ...record,
  amount: String(record.amount),
  refundable: String(record.refundable),
  state: toStateJson(record.state),
  page,
})

/** What the page of a request shows: nothing of the shop's own. */
export const toPageState = ({ address, amount, expiresAt, uri, stored, state }: PaymentRequestRecord) => ({
  address,
  amount: String(amount),
  expiresAt,
  uri,
  network: stored.network,
  label: stored.label ?? null,
  message: stored.message ?? null,
  status: state.status,
  received: String(state.received),
  pending: String(state.pending),
  missing: String(state.missing),
  isLate: state.isLate,
  isExpired: state.isExpired,
  freshness: state.freshness,
})

export type PageState = ReturnType<typeof toPageState>
