import { ChainError } from '../errors/chain-error.js'
import { SessionDropped } from '../errors/payout-error.js'

/**
 * Classes of SQLSTATE after which a new connection is worth an attempt: connection, resources, operator intervention,
 * system, serialization.
 */
const TRANSIENT = /^(08|53|57|58|40)/
/**
 * `idle_session_timeout`, `idle_in_transaction_session_timeout`, a statement in a transaction that had failed, a lock
 * that is taken, and a write on a stand-by, which was the primary before a failover.
 */
const TRANSIENT_CODES = new Set(['57P05', '25P03', '25P02', '55P03', '25006'])

/** The SQLSTATE of a driver's error; undefined for a failure of the socket. */
export function sqlStateOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** A driver's error as `SessionDropped` where a new connection is worth an attempt, else as `ChainError`. */
export function toSinkError(error: unknown): Error {
  if (error instanceof SessionDropped || error instanceof ChainError) return error
  const state = sqlStateOf(error)
  if (state === undefined ? isSocketFailure(error) : TRANSIENT.test(state) || TRANSIENT_CODES.has(state))
    return new SessionDropped(error)
  const details = state === undefined ? causeOf(error) : `${causeOf(error)} (SQLSTATE ${state})`
  return new ChainError(`The database rejected a statement: ${details}`, { cause: error, details })
}

/** Drivers report a lost connection by the code of the socket, or in words. */
function isSocketFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = 'code' in error ? error.code : undefined
  return (
    (typeof code === 'string' && /^E[A-Z_]+$/.test(code)) ||
    /connection|timeout|terminated|closed|socket|not queryable/i.test(error.message)
  )
}

const causeOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
