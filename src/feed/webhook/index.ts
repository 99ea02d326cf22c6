/** Entry point for receivers of webhooks: without Node's built-ins. */

export { verifyWebhook } from './verify-webhook.js'
export type { VerifyWebhookOptions, WebhookHeaders } from './verify-webhook.js'
export type { PaymentWebhook } from './webhook-body.js'
