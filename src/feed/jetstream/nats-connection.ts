import type { NatsConnection as ClientConnection } from '@nats-io/transport-node'

/**
 * A connection of a NATS client of version 3: `connect` of `@nats-io/transport-node`, `wsconnect` of
 * `@nats-io/nats-core`. The parts that are checked; the packages of JetStream use all of it.
 */
export interface NatsConnection {
  readonly info?: { readonly version: string } | undefined
  isClosed(): boolean
  flush(): Promise<void>
}

/** The connection as the type of the client's packages, which are optional: the public type does not depend on them. */
export const toClient = (connection: NatsConnection): ClientConnection => connection as ClientConnection
