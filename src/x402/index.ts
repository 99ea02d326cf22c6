/** Entry point of x402 (experimental): an API or an agent is paid in KAS, by the draft binding `kaspa-exact-v2`. */

export { createKaspaFacilitator } from './server/facilitator.js'
export type { KaspaFacilitator, X402Event } from './server/facilitator.js'
export type { KaspaFacilitatorOptions } from './server/options.js'
export type { RequestIdentity } from './server/check-payment.js'
export type { RefusalReason } from './server/refusal.js'
export type { ContextOptions, X402Middleware, HonoContext, HonoNext } from './server/hono-context.js'
export type { ExpressNext, ExpressRequest, ExpressResponse } from './server/express-context.js'
export { kaspaExact, kaspaPrice } from './server/kaspa-exact.js'
export { x402ToPrometheus } from './server/metrics.js'
export type { X402Metrics } from './server/metrics.js'
export { createKaspaClient } from './client/kaspa-client.js'
export type { KaspaClient, KaspaClientOptions, KaspaClientSettings } from './client/kaspa-client.js'
export type { PaidFetchOptions } from './client/paid-fetch.js'
export { kasSpendControls } from './binding/offer.js'
export type { KasSpendControlOptions, X402Network } from './binding/offer.js'
export { keySigner, createAttemptStore } from './client/attempts.js'
export type { X402Signer, AttemptStorage, AttemptStore, AttemptStoreOptions, StoredAttempt } from './client/attempts.js'
export { createMemoryX402Store } from './stores/store.js'
export type { MemoryX402StoreOptions, ClaimResult, NumberedPayment, X402Store } from './stores/store.js'
export { createPgliteX402Store, createPostgresX402Store } from './stores/sql-store.js'
export type { PgliteX402StoreOptions, PostgresX402StoreOptions } from './stores/sql-store.js'
export { bindingDigest, signBinding, requestHash } from './binding/binding.js'
export type { Binding, BindingFields, BoundRequest } from './binding/binding.js'
export { reduceSettlement } from './settlement.js'
export type {
  SettlementCommand,
  SettlementEvent,
  SettlementStep,
  SettlementState,
  StoredResponse,
  X402Payment,
} from './settlement.js'
