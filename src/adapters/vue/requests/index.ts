/** Entry point of payment requests in Vue apps: `usePaymentRequest` and `<ReceivePayment>`. */

export { usePaymentRequest } from './usePaymentRequest.js'
export type { UsePaymentRequestOptions, UsePaymentRequestReturn } from './usePaymentRequest.js'
export { ReceivePayment } from './ReceivePayment.js'
export type { ReceivePaymentEmits, ReceivePaymentProps } from './ReceivePayment.js'
export { QrCode } from './receive-payment/lazy-qr-code.js'
export type { QrCodeProps } from './receive-payment/lazy-qr-code.js'
export type { ReceivePaymentSlots, ReceivePaymentTexts } from './receive-payment/replacements.js'
export type { RequestArgument } from '../../../streams/requests/page-request.js'
export type { PaymentRequestSettings, PaymentRequests, RequestedPayment } from '../../../streams/requests/requests.js'
export type {
  PaymentRequestState,
  PaymentRequestStatus,
  RequestFreshness,
  RequestPayment,
} from '../../../streams/requests/state.js'
export type { StoredPaymentRequest } from '../../../streams/requests/terms.js'
export { ChainError } from '../../../errors/chain-error.js'
export type { ChainErrorCode, ChainErrorOptions } from '../../../errors/chain-error.js'
