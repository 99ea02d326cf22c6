import type { PaymentRequestState, RequestPayment } from './state.js'

/** Whether two states say the same. */
export const isSameState = (left: PaymentRequestState, right: PaymentRequestState): boolean =>
  isSameRecord({ ...left, payments: null }, { ...right, payments: null }) &&
  left.payments.length === right.payments.length &&
  left.payments.every((payment, at) => isSamePayment(payment, right.payments[at]))

const isSamePayment = (left: RequestPayment, right: RequestPayment | undefined): boolean =>
  right !== undefined &&
  isSameRecord({ ...left, counterparties: null }, { ...right, counterparties: null }) &&
  left.counterparties.join() === right.counterparties.join()

function isSameRecord<Fields extends object>(left: Fields, right: Fields): boolean {
  const other = new Map(Object.entries(right))
  return Object.entries(left).every(([name, value]) => other.get(name) === value)
}
