/** Entry point for receivers of webhooks: without Node's built-ins. */

export { verifyWebhook } from './webhook.js'
export type { VerifyWebhookOptions, WebhookHeaders, PaymentWebhook } from './webhook.js'
export type { PaymentEventType, PaymentMetadata } from '../payments/payment.js'
export type {
  PaymentRequestState,
  PaymentRequestStatus,
  RequestFreshness,
  RequestPayment,
} from '../../streams/requests/state.js'
