import { ChainError } from '../../errors/chain-error.js'
import { SessionDropped } from '../../errors/payout-error.js'

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
export function toNatsError(error: unknown): unknown {
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
