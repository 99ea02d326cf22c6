import type { Observable } from 'rxjs'

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
