import { refuseUnknown } from '../../errors/unknown-option.js'
import type { FeedSink } from '../sink.js'
import { transferStream } from './ensure-stream.js'
import { createSession } from './jetstream-session.js'
import type { NatsConnection } from './nats-connection.js'
import { createStreamOpener } from './open-stream.js'
import { readPosition } from './stored-position.js'

export interface JetStreamSinkOptions {
  /**
   * A connection of a NATS client of version 3: `connect({ maxReconnectAttempts: -1, pingInterval: 5_000 })` of
   * `@nats-io/transport-node`. It is not closed.
   */
  readonly connection: NatsConnection
  /** How long, in ms, a silent instance keeps the lease. The first instance decides. @default 10_000 */
  readonly leaseTimeout?: number | undefined
  /** How long, in ms, a response of the server may take. @default 10_000 */
  readonly timeout?: number | undefined
  /** Of a stream that is created: how many servers keep a copy. @default 1 */
  readonly replicas?: number | undefined
  /** Of a stream that is created: how long, in ms, messages are kept; 0 for ever. @default 0 */
  readonly maxAge?: number | undefined
}

const NAMES = ['connection', 'leaseTimeout', 'timeout', 'replicas', 'maxAge'] satisfies (keyof JetStreamSinkOptions)[]

/**
 * Delivers into a stream of NATS JetStream, a message for each transfer, by one of several instances. Needs NATS server
 * 2.10 or later, and the packages `@nats-io/transport-node` and `@nats-io/jetstream`. Throws `ChainError`
 * (`invalid-argument`).
 */
export function createJetStreamSink(options: JetStreamSinkOptions): FeedSink {
  refuseUnknown(options, NAMES)
  const opener = createStreamOpener(options)
  return {
    hasWatchTable: false,
    leaseTimeout: opener.leaseTimeout,
    open: ({ network, onWait, signal }) =>
      opener.open({
        purpose: transferStream(network),
        lease: network,
        onWait,
        signal,
        begin: async (stream) =>
          createSession(await readPosition(stream.clients.manager, network), { ...stream, network }),
      }),
  }
}
