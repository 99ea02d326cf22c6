import { ChainError } from '../../errors/chain-error.js'
import { SessionDropped } from '../../errors/payout-error.js'
import type { JetStreamClients } from './clients.js'
import type { NatsConnection } from './nats-connection.js'

/**
 * Requires a server from 2.10 on. Throws `ChainError` `unsupported` for an older one, `disposed` for a connection that
 * was closed, and `SessionDropped` while it is not connected.
 */
export function requireServer(connection: NatsConnection): void {
  if (connection.isClosed()) throw closedConnection()
  const version = connection.info?.version
  if (version === undefined) throw new SessionDropped(new Error('The NATS connection is reconnecting'))
  if (isSupported(version)) return
  throw new ChainError(`NATS server ${version} is not supported`, {
    code: 'unsupported',
    hint: 'Use NATS server 2.10 or later.',
  })
}

export const closedConnection = (): ChainError<'disposed'> =>
  new ChainError('The NATS connection is closed', {
    code: 'disposed',
    hint: 'Connect with maxReconnectAttempts: -1, and close the connection last.',
  })

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 2 || (major === 2 && minor >= 10)
}

/** Whether the server stores batches whole or not at all. */
export function hasAtomicBatches({ info }: NatsConnection): boolean {
  const [major = 0, minor = 0] = (info?.version ?? '').split('.').map(Number)
  return major > 2 || (major === 2 && minor >= 12)
}

/** How long the first request may take, in ms: the client forgets it where it is about to connect again. */
export const PROBE_TIMEOUT = 2_000

/** Requires JetStream. Rejects with `ChainError` (`unsupported`) where the server says that it is switched off. */
export async function requireJetStream({ connection, createManager, timeout }: JetStreamClients): Promise<void> {
  try {
    const manager = await createManager(Math.min(timeout, PROBE_TIMEOUT))
    await manager.getAccountInfo()
  } catch (error) {
    const isOff = error instanceof Error && error.name === 'JetStreamNotEnabled' && connection.info?.jetstream !== true
    if (!isOff) throw error
    throw new ChainError('JetStream is not enabled on the NATS server', {
      code: 'unsupported',
      hint: 'Start the server with -js.',
    })
  }
}
