import type { JetStreamManager } from '@nats-io/jetstream'
import type { MsgHdrs, NatsConnection as ClientConnection } from '@nats-io/transport-node'
import { loadPackage } from '../../loading/load-code.js'
import { toClient, type NatsConnection } from './nats-connection.js'

/** What `npm i` takes: both are needed. */
export const PACKAGES = '@nats-io/transport-node @nats-io/jetstream'

/** What a sink needs to talk to JetStream. */
export interface JetStreamClients {
  readonly connection: ClientConnection
  readonly manager: JetStreamManager
  /** A manager whose requests may take as many ms. */
  readonly createManager: (timeout: number) => Promise<JetStreamManager>
  readonly createHeaders: () => MsgHdrs
  /** Names this sink among all instances. */
  readonly instance: string
  /** How long a response may take, in ms. */
  readonly timeout: number
}

/** Loads the packages of the client. Rejects with `ChainError` (`package-missing`). */
export async function loadClients(
  connection: NatsConnection,
  instance: string,
  timeout: number,
): Promise<JetStreamClients> {
  const { headers } = await loadPackage('@nats-io/transport-node', () => import('@nats-io/transport-node'), PACKAGES)
  const { jetstreamManager } = await loadPackage('@nats-io/jetstream', () => import('@nats-io/jetstream'), PACKAGES)
  const client = toClient(connection)
  const createManager = (limit: number) => jetstreamManager(client, { timeout: limit, checkAPI: false })
  const manager = await createManager(timeout)
  return { connection: client, manager, createManager, createHeaders: () => headers(), instance, timeout }
}
