/** Entry point of the payment queue: each payment exactly once, by the caller's id. */

export { createPayouts } from './create-payouts.js'
export type { Payouts } from './create-payouts.js'
export type { BatchOptions, FeeOptions, PayoutsOptions, QueueOptions } from './options.js'
export type { PayoutPreview } from './run-queue.js'
export { payoutsToPrometheus } from './metrics.js'
export type { PayoutMetrics, SettleTimes, SubmissionCount, SubmissionReason, UtxoCounts } from './metrics.js'
export type { QueuePhase, QueueStatus } from './status.js'
export { indexedDbJournal } from './stores/indexed-db-journal.js'
export type { IndexedDbJournalOptions } from './stores/indexed-db-journal.js'
export { memoryJournal } from './stores/memory-journal.js'
export type { MemoryJournalOptions } from './stores/memory-journal.js'
export { pgliteJournal, postgresJournal } from './stores/postgres-journal.js'
export type {
  PgliteJournal,
  PgliteJournalOptions,
  PostgresJournal,
  PostgresJournalOptions,
  PostgresJournalSettings,
} from './stores/postgres-journal.js'
export type { SqlJournal } from './stores/sql-journal.js'
export type { SignedAmountsRecord } from '../operations/transactions/sign/signed-amounts.js'
export type { PgliteClient, PgliteQueries } from '../sql/locked-pglite.js'
export type { PostgresClient, PostgresPool } from '../sql/pool-database.js'
export type { SqlRow } from '../sql/session.js'
export type { OutpointKey } from '../model/utxo.js'
export { PayoutError, SessionDropped } from '../errors/payout-error.js'
export type { PayoutErrorCode, PayoutErrorOptions } from '../errors/payout-error.js'
export type { PayoutOutput } from '../operations/payouts/payout-batch.js'
export { reducePayout, QUEUED } from '../streams/payouts/progress.js'
export type {
  AcceptedProgress,
  PayoutEvent,
  PayoutProgress,
  PayoutStateName,
  WaitingReason,
} from '../streams/payouts/progress.js'
export type {
  ListOptions,
  PayoutList,
  PayoutAttemptState,
  PayoutReader,
  PayoutState,
  WaitOptions,
} from '../streams/payouts/payouts.js'
export type {
  AttemptKind,
  AttemptReply,
  AttemptUpdate,
  ForeignDebit,
  GroupConflict,
  GroupQuery,
  GroupUpdate,
  JournalAccess,
  JournalChange,
  JournalEvent,
  JournalScope,
  JournalSession,
  JournalWallet,
  NewAttempt,
  OutpointClaim,
  PayoutAttempt,
  PayoutGroup,
  PayoutJournal,
  PayoutQuery,
  PayoutRecord,
  PayoutRequest,
  PayoutUpdate,
  PruneQuery,
  Pruned,
  StateCount,
} from '../streams/payouts/journal.js'
