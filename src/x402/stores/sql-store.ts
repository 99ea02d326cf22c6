import { refuseUnknown } from '../../errors/chain-error.js'
import { createPoolAccess } from '../../sql/pool-access.js'
import type { PostgresPool } from '../../sql/pool-database.js'
import { createSharedPglite, type PgliteClient } from '../../sql/locked-pglite.js'
import { type SqlSession, quote, textOf, type Query, type SqlRow } from '../../sql/session.js'
import type { X402Store, ClaimResult } from './store.js'
import { loadCode } from '../../loading/load-code.js'
import { fromLosslessJson, toLosslessJson } from '../../model/lossless-json.js'
import type { X402Payment } from '../settlement.js'

export interface PostgresX402StoreOptions {
  /** A `Pool` of the package `pg`. */
  readonly pool: PostgresPool
  /** The schema of the tables. @default 'x402' */
  readonly schema?: string | undefined
  /**
   * How long, in ms, a silent transaction keeps its rows locked: one of a process that was stopped. @default 10_000
   */
  readonly leaseTimeout?: number | undefined
}

export interface PgliteX402StoreOptions {
  /** An instance of `PGlite`, which is not closed. */
  readonly database: PgliteClient
  /** The schema of the tables. @default 'x402' */
  readonly schema?: string | undefined
}

/**
 * Payments in tables of PostgreSQL 15 or later, for any number of instances. Who can write these tables decides what
 * is served: give them a role of their own.
 */
export function createPostgresX402Store(options: PostgresX402StoreOptions): X402Store {
  refuseUnknown(options, ['pool', 'schema', 'leaseTimeout'] satisfies (keyof PostgresX402StoreOptions)[])
  const { pool, schema = 'x402', leaseTimeout = 10_000 } = options
  return createSqlStore(createPoolAccess(pool, leaseTimeout), schema)
}

/** The same tables in PGlite: PostgreSQL inside this process, for one instance. */
export function createPgliteX402Store(options: PgliteX402StoreOptions): X402Store {
  refuseUnknown(options, ['database', 'schema'] satisfies (keyof PgliteX402StoreOptions)[])
  const { database, schema = 'x402' } = options
  const { signal } = new AbortController() // never aborted: the instance belongs to the program
  const sessions = createSharedPglite(database)
  let opened: Promise<SqlSession> | undefined
  const open = (): Promise<SqlSession> => (opened ??= sessions.open({ lease: '', signal }))
  return createSqlStore(
    {
      run: async (work) => (await open()).run(work),
      transaction: async (work) => (await open()).transaction(work),
    },
    schema,
  )
}

/** Payments in tables of PostgreSQL or PGlite, which the first call creates. */
export function createSqlStore(access: Pick<SqlSession, 'run' | 'transaction'>, schema: string): X402Store {
  const s = quote(schema)
  let prepared: Promise<void> | undefined
  const prepare = (): Promise<void> =>
    (prepared ??= prepareSchema(access, schema).catch((error: unknown) => {
      prepared = undefined // tried again by the next call
      throw error
    }))
  const run = async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
    await prepare()
    return access.run(work)
  }
  const find = async (query: Query, network: string, transactionId: string): Promise<X402Payment | null> => {
    const text = `select payment::text as payment from ${s}.x402_payment where network = $1 and transaction_id = $2`
    const [row] = await query(text, [network, transactionId])
    return row === undefined ? null : toPayment(row)
  }
  return {
    isDurable: true,
    async claim(payment) {
      await prepare()
      return access.transaction((query) => claim(query, s, payment, find))
    },
    find: (network, transactionId) => run((query) => find(query, network, transactionId)),
    async update(payment) {
      const { network, transactionId, state, version } = payment
      const rows = await run((query) =>
        query(
          `update ${s}.x402_payment set state = $3, payment = $4::text::jsonb, version = $5::text::integer
            where network = $1 and transaction_id = $2 and version = $5::text::integer - 1 returning 1 as one`,
          [network, transactionId, state, toLosslessJson(payment), String(version)],
        ),
      )
      return rows.length === 1
    },
    async release({ network, transactionId }) {
      const text = `delete from ${s}.x402_claim where network = $1 and transaction_id = $2`
      await run((query) => query(text, [network, transactionId]))
    },
    async after(network, sequence) {
      const rows = await run((query) =>
        query(
          `select payment::text as payment, sequence::text as sequence from ${s}.x402_payment
            where network = $1 and sequence > $2::text::bigint and state <> 'rejected'
              and (state <> 'served' or claimed_at > now() - interval '2 hours' or payment->>'acceptedBlueScore' is null)
            order by x402_payment.sequence`,
          [network, String(sequence)],
        ),
      )
      return rows.map((row) => ({ sequence: BigInt(textOf(row, 'sequence')), payment: toPayment(row) }))
    },
    async cursor(network) {
      const [row] = await run((query) => query(`select value from ${s}.x402_cursor where network = $1`, [network]))
      return row === undefined ? null : textOf(row, 'value')
    },
    async saveCursor(network, cursor) {
      const text = `insert into ${s}.x402_cursor (network, value) values ($1, $2)
        on conflict (network) do update set value = excluded.value, updated_at = now()`
      await run((query) => query(text, [network, cursor]))
    },
    async prune(network, olderThan) {
      const text = `delete from ${s}.x402_payment where network = $1 and state in ('served', 'rejected')
        and claimed_at < to_timestamp($2::text::double precision / 1000) returning 1 as one`
      return (await run((query) => query(text, [network, String(olderThan)]))).length
    },
  }
}

/**
 * Rows of other payments for the same outpoint are refused by the primary key; a row that is there is returned. Claims
 * are made one after the other, so that numbers are given out in the order in which they are committed: an instance
 * that has read a number finds no lower one later.
 */
async function claim(
  query: Query,
  s: string,
  payment: X402Payment,
  find: (query: Query, network: string, transactionId: string) => Promise<X402Payment | null>,
): Promise<ClaimResult> {
  const { network, transactionId, state, version, claimedAt, outpoints } = payment
  await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`vue-chain x402 ${s} ${network}`])
  const added = await query(
    `insert into ${s}.x402_payment (network, transaction_id, state, payment, version, claimed_at)
      values ($1, $2, $3, $4::text::jsonb, $5::text::integer, to_timestamp($6::text::double precision / 1000))
      on conflict (network, transaction_id) do nothing returning 1 as one`,
    [network, transactionId, state, toLosslessJson(payment), String(version), String(claimedAt)],
  )
  if (added.length === 0) return { type: 'known', payment: (await find(query, network, transactionId)) ?? payment }
  const claimed = await query(
    `insert into ${s}.x402_claim (network, outpoint, transaction_id) select $1, o, $2 from unnest($3::text[]) as o
      order by o on conflict (network, outpoint) do nothing returning 1 as one`,
    [network, transactionId, outpoints],
  )
  if (claimed.length === outpoints.length) return { type: 'claimed', payment }
  const [other] = await query(
    `select transaction_id from ${s}.x402_claim where network = $1 and outpoint = any($2::text[])
      and transaction_id <> $3 limit 1`,
    [network, outpoints, transactionId],
  )
  await query(`delete from ${s}.x402_payment where network = $1 and transaction_id = $2`, [network, transactionId])
  return { type: 'taken', transactionId: other === undefined ? '' : textOf(other, 'transaction_id') }
}

async function prepareSchema(access: Pick<SqlSession, 'run' | 'transaction'>, schema: string): Promise<void> {
  const [{ migrate }, { MIGRATIONS }] = await Promise.all([
    loadCode(() => import('../../sql/migrate.js')),
    loadCode(() => import('./schema.js')),
  ])
  await migrate(access, schema, MIGRATIONS)
}

/** Written by this store. */
const toPayment = (row: SqlRow): X402Payment => fromLosslessJson(textOf(row, 'payment')) as X402Payment
