/** Entry point of the durable feed: transfers into PostgreSQL, PGlite or NATS JetStream. For Node. */

export { createFeed } from './create-feed.js'
export type { Feed } from './create-feed.js'
export type { FeedEngine, FeedOptions } from './options.js'
export type { FeedPhase, FeedStatus } from './status.js'
export type { FeedWatch } from './requests.js'
export type { AddressRequest } from './address-request.js'
export type { FeedSession, FeedSink, FeedStep, OpenOptions, RequestTable } from './sink.js'
export { SessionDropped } from './sink.js'
export { createPgliteSink, createPostgresSink } from './postgres/create-postgres-sink.js'
export type { PgliteSinkOptions, PostgresSinkOptions } from './postgres/create-postgres-sink.js'
export type { PgliteClient } from './postgres/pglite-database.js'
export type { PostgresClient, PostgresPool } from './postgres/pool-database.js'
