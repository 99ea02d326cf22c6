import { refuseUnknown } from '../../errors/unknown-option.js'
import type { FeedSink } from '../sink.js'
import { transferStream } from './ensure-stream.js'
import { createSession } from './jetstream-session.js'
import { createStreamOpener, type JetStreamOptions } from './open-stream.js'
import { readPosition } from './stored-position.js'

export interface JetStreamSinkOptions extends JetStreamOptions {
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
        begin: async (stream) => createSession(await readPosition(stream.clients.manager, network), network, stream),
      }),
  }
}
