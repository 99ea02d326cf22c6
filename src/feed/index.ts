/** Entry point of the durable feed: transfers into PostgreSQL, PGlite or NATS JetStream. For Node. */

export { createFeed } from './create-feed.js'
export type { Feed } from './create-feed.js'
export type { FeedEngine, FeedOptions } from './options.js'
export type { FeedPhase, FeedStatus } from './status.js'
export { feedToPrometheus } from './to-prometheus.js'
export type { FeedToken } from './tokens/feed-token.js'
export type { StoredTokens, TokenStep } from './tokens/token-step.js'
export type { FeedWatch } from './requests.js'
export type { AddressRequest, RequestIds, RequestLimits } from './address-request.js'
export type { FeedSession, FeedSink, FeedStep, OpenOptions, RequestTable } from './sink.js'
export { SessionDropped } from '../errors/payout-error.js'
export { createPgliteSink, createPostgresSink } from './postgres/create-postgres-sink.js'
export type { PgliteSinkOptions, PostgresSinkOptions } from './postgres/create-postgres-sink.js'
export type { PgliteClient, PgliteQueries } from '../sql/shared-pglite.js'
export { createJetStreamSink } from './jetstream/create-jetstream-sink.js'
export type { JetStreamSinkOptions } from './jetstream/create-jetstream-sink.js'
export type { NatsConnection } from './jetstream/nats-connection.js'
export { createContractFeed } from './contracts/create-contract-feed.js'
export type { ContractFeed, ContractFeedOptions } from './contracts/create-contract-feed.js'
export type { ContractFeedInstance, FollowedContracts } from './contracts/instances.js'
export type { ContractStreamOptions } from './contracts/jetstream-documents.js'
export type { JetStreamOptions } from './jetstream/open-stream.js'
export type { SqlRow } from '../sql/session.js'
export type { PostgresClient, PostgresPool } from '../sql/pool-database.js'
export { createPayments } from './payments/create-payments.js'
export type { Payments } from './payments/create-payments.js'
export type { PaymentsBaseOptions, PaymentsEngine, PaymentsOptions } from './payments/options.js'
export type {
  Payer,
  PaymentEvent,
  PaymentEventType,
  PaymentListOptions,
  PaymentMetadata,
  PaymentRequestRecord,
  PaymentSettings,
  Refund,
  RefundSettings,
} from './payments/payment.js'
export type { PaymentClient } from './payments/database.js'
export type { PaymentMetrics, WebhookMetrics } from './payments/metrics.js'
export { paymentsToPrometheus } from './payments/to-prometheus.js'
export type { RefundPayouts } from './payments/refunds.js'
export type { WebhookOptions } from './payments/webhooks/options.js'
export type {
  PaymentRequestState,
  PaymentRequestStatus,
  RequestFreshness,
  RequestPayment,
} from '../streams/requests/state.js'
export type { StoredPaymentRequest } from '../streams/requests/terms.js'
