import type { PaymentRequestState, RequestPayment } from '../../streams/requests/state.js'
type Amount = 'received' | 'pending' | 'confirmed' | 'missing' | 'excess' | 'refunded'

/** A state as JSON: amounts are decimal texts. */
export type PaymentStateJson = Omit<PaymentRequestState, Amount | 'payments'> &
  Readonly<Record<Amount, string>> & {
    readonly payments: readonly (Omit<RequestPayment, 'amount'> & { readonly amount: string })[]
  }

export const toStateJson = (state: PaymentRequestState): PaymentStateJson => ({
  ...state,
  received: String(state.received),
  pending: String(state.pending),
  confirmed: String(state.confirmed),
  missing: String(state.missing),
  excess: String(state.excess),
  refunded: String(state.refunded),
  payments: state.payments.map((payment) => ({ ...payment, amount: String(payment.amount) })),
})

/** The state of what `toStateJson` wrote. */
export const parseState = (state: PaymentStateJson): PaymentRequestState => ({
  ...state,
  received: BigInt(state.received),
  pending: BigInt(state.pending),
  confirmed: BigInt(state.confirmed),
  missing: BigInt(state.missing),
  excess: BigInt(state.excess),
  refunded: BigInt(state.refunded),
  payments: state.payments.map((payment) => ({ ...payment, amount: BigInt(payment.amount) })),
})
