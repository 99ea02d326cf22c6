/** Entry point of the durable feed: transfers into PostgreSQL, PGlite or NATS JetStream. For Node. */

export { createFeed } from './create-feed.js'
export type { Feed } from './create-feed.js'
export type { FeedEngine, FeedOptions, FeedToken } from './options.js'
export { feedToPrometheus } from './status.js'
export type { FeedPhase, FeedStatus } from './status.js'
export type {
  StoredTokens,
  TokenStep,
  AddressRequest,
  RequestIds,
  RequestLimits,
  FeedSession,
  FeedSink,
  FeedStep,
  OpenOptions,
  RequestTable,
} from './sink.js'
export type { FeedWatch } from './requests.js'
export { SessionDropped } from '../errors/payout-error.js'
export { createPgliteSink, createPostgresSink } from './postgres/create-postgres-sink.js'
export type { PgliteSinkOptions, PostgresSinkOptions } from './postgres/create-postgres-sink.js'
export type { PgliteClient, PgliteQueries } from '../sql/locked-pglite.js'
export { createJetStreamSink } from './jetstream/create-jetstream-sink.js'
export type { JetStreamSinkOptions } from './jetstream/create-jetstream-sink.js'
export type { NatsConnection } from './jetstream/nats-connection.js'
export { createContractFeed } from './contracts/create-contract-feed.js'
export type { ContractFeed, ContractFeedOptions } from './contracts/create-contract-feed.js'
export type { ContractFeedInstance, FollowedContracts } from './contracts/deliver-contracts.js'
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
export type { PaymentClient } from './payments/run-payments.js'
export { paymentsToPrometheus } from './payments/metrics.js'
export type { PaymentMetrics, WebhookMetrics } from './payments/metrics.js'
export type { RefundPayouts } from './payments/refunds.js'
export type { WebhookOptions } from './payments/webhooks/post.js'
export type {
  PaymentRequestState,
  PaymentRequestStatus,
  RequestFreshness,
  RequestPayment,
} from '../streams/requests/state.js'
export type { StoredPaymentRequest } from '../streams/requests/terms.js'
