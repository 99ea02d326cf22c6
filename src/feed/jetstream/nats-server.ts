import { ChainError } from '../../errors/chain-error.js'
import { SessionDropped } from '../../errors/payout-error.js'
import type { JetStreamClients, NatsConnection } from './nats-connection.js'
import { sleep } from '../../loading/abortable.js'

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

const closedConnection = (): ChainError<'disposed'> =>
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

/** Codes of the JetStream API: https://github.com/nats-io/nats-server/blob/main/server/errors.json */
export const ApiCode = {
  streamNotFound: 10_059,
  wrongLastMessageId: 10_070,
  wrongLastSequence: 10_071,
  duplicateInBatch: 10_201,
  streamNameInUse: 10_058,
} as const

/** The lowest status of a server that has no resources at the moment, or no leader. */
export const OVERLOADED = 429

/** The client's errors after which another attempt is worth it: the connection, or a server that is starting. */
const TRANSIENT = new Set([
  'ClosedConnectionError',
  'ConnectionError',
  'JetStreamNotEnabled',
  'NoResponders',
  'ProtocolError',
  'RequestError',
  'StreamNotFoundError',
  'TimeoutError',
])

/** The client's errors that attempts do not mend. */
const PERMANENT = new Set([
  'AuthorizationError',
  'InvalidArgumentError',
  'JetStreamApiError',
  'PermissionViolationError',
])

/** The code of the JetStream API; undefined for other errors. */
export function apiCodeOf(error: unknown): number | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'number' ? code : undefined
}

const isOverloaded = (error: Error): boolean =>
  'status' in error && typeof error.status === 'number' && error.status >= OVERLOADED

/** Such as a host that is not known yet. */
const isSocketFailure = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && /^E[A-Z_]+$/.test(error.code)

/**
 * An error of the client as `SessionDropped` where another attempt is worth it, else as `ChainError`; other errors as
 * they are.
 */
function toNatsError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SessionDropped || error instanceof ChainError) return error
  if (TRANSIENT.has(error.name) || isOverloaded(error) || isSocketFailure(error)) return new SessionDropped(error)
  if (!PERMANENT.has(error.name)) return error
  const code = apiCodeOf(error)
  const details = code === undefined ? error.message : `${error.message} (code ${code})`
  return new ChainError(`The NATS server rejected a request: ${details}`, { cause: error, details })
}

/** Runs requests to the server; their errors are converted. */
export async function converted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toNatsError(error)
  }
}

/** Between two attempts, in ms. */
const PAUSE = 250

/**
 * Repeats requests while the server, or the stream, is not there. Rejects where the connection was closed, or the
 * signal has aborted.
 */
export async function retried<T>(connection: NatsConnection, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (thrown) {
      if (connection.isClosed()) throw closedConnection()
      const error = toNatsError(thrown)
      if (!(error instanceof SessionDropped)) throw error
    }
    await sleep(PAUSE, signal)
  }
}
