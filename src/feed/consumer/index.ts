/** Entry point of consumers: what a feed delivers into NATS JetStream, as an async iterator. For Node and browsers. */

export { consumeTransfers } from './consume-transfers.js'
export type { ConsumeTransfersOptions } from './consume-transfers.js'
export type { ConsumedBatch, ConsumedTransfer } from './consumed-batch.js'
export type { NatsConnection } from '../jetstream/nats-connection.js'
