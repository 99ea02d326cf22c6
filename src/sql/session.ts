import type { Observable } from 'rxjs'
import { abortable } from '../loading/abortable.js'
import { ChainError } from '../errors/chain-error.js'
import { SessionDropped } from '../errors/payout-error.js'

/** A row as drivers return it. Integers of 64 bits are cast to text in queries, because drivers differ. */
export type SqlRow = Readonly<Record<string, unknown>>

/** Runs one statement. Text arrays and text are the only parameters, so that all drivers encode them alike. */
export type Query = (text: string, values?: readonly SqlValue[]) => Promise<readonly SqlRow[]>

export type SqlValue = string | null | readonly (string | null)[]

/** One connection to a database. */
export interface SqlSession {
  /**
   * Runs statements that no other work comes between. Rejects with `SessionDropped` after a failure of the connection,
   * with the driver's error otherwise.
   */
  run<T>(work: (query: Query) => Promise<T>): Promise<T>
  /**
   * The same in one transaction, read committed, which a rejection rolls back. `timeout`, in ms, is how long a
   * statement may take, where that is longer than usual.
   */
  transaction<T>(work: (query: Query) => Promise<T>, timeout?: number): Promise<T>
  /** The notifications of a channel, without payload. Listens from the call on. */
  listen(channel: string): Promise<Observable<void>>
  /**
   * Emits when a renewal of the lease begins, and when the server has responded to it; nothing where there is no lease.
   */
  readonly heartbeat$: Observable<'begun' | 'renewed'>
  /** Rejects with `SessionDropped` once the connection is lost; never resolves. */
  readonly dropped: Promise<never>
  /** Closes the connection. Never rejects. */
  close(): Promise<void>
}

/** Opens connections to a database. */
export interface SqlDatabase {
  /** A connection that no other one of the same lease exists beside. Waits for it. */
  open(options: SqlOpenOptions): Promise<SqlSession>
}

export interface SqlOpenOptions {
  /** The name of what is locked. */
  readonly lease: string
  /** A setting that is `on` in each statement: triggers take all others for those of other programs. */
  readonly mark?: string | undefined
  /** Called before each connection, and after each look at a lease that another instance has. */
  readonly onWait?: ((what: 'connection' | 'lease') => void) | undefined
  readonly signal: AbortSignal
}

/** A column that the query selects as text. */
export function textOf(row: SqlRow, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new TypeError(`The column ${column} is no text`)
  return value
}

/** Runs statements of one connection in a transaction, read committed, which a rejection rolls back. */
export async function inTransaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query('begin isolation level read committed')
  try {
    const result = await work(query)
    await query('commit')
    return result
  } catch (error) {
    await query('rollback').catch(() => undefined) // the first error says why
    throw error
  }
}

/** Adds a parameter to a statement; returns its placeholder. */
export type Bind = (value: SqlValue) => string

/** Runs one statement, whose parts bind their own parameters. */
export function runStatement(query: Query, text: (bind: Bind) => string): Promise<readonly SqlRow[]> {
  const values: SqlValue[] = []
  return query(
    text((value) => `$${values.push(value)}`),
    values,
  )
}

/**
 * The text of an array whose elements need no escapes: hashes, addresses, numbers, times. Drivers escape each element,
 * which costs more than everything else that Node does for a row.
 */
export const arrayText = (elements: readonly (string | null)[]): string =>
  `{${elements.map((element) => element ?? 'NULL').join(',')}}`

/** A name in a statement. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Runs asynchronous work one after the other, in the order of the calls. */
export function createExclusive(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined) // the caller of `work` has the error
    return result
  }
}

/**
 * Gives turns one after the other, in the order of the calls. A call resolves, once the turns before it have ended, to
 * what ends its own; it rejects when its signal aborts before. `onWait` is called where there is a turn before it.
 */
export function createTurns(): (signal: AbortSignal, onWait?: () => void) => Promise<() => void> {
  const exclusive = createExclusive()
  let turns = 0
  return async (signal, onWait) => {
    if (turns++ > 0) onWait?.()
    const turn = new Promise<() => void>((start) => {
      const taken = exclusive(() => new Promise<void>((end) => start(end)))
      void taken.then(() => turns--)
    })
    try {
      return await abortable(signal, () => turn)
    } catch (error) {
      void turn.then((end) => end())
      throw error
    }
  }
}

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
