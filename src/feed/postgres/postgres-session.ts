import type { StoredCredit } from '../../streams/transfers/known-outputs.js'
import type { AddressOpening } from '../../streams/transfers/openings.js'
import type { Outpoint } from '../../model/utxo.js'
import type { DefinedToken } from '../../model/tokens/define-token.js'
import type { FeedSession, FeedStep, OpenOptions } from '../sink.js'
import { readStoredTokens, requireTokens, storeTokens, type TokenTables } from '../tokens/token-tables.js'
import { migrate } from '../../sql/migrate.js'
import { PostgresRequests, shareSession, type PostgresFeedSession, type SharedQueue } from './postgres-requests.js'
import { quote, textOf, type Query, type SqlRow, type SqlSession } from '../../sql/session.js'
import { MIGRATIONS } from './schema.js'
import { pruneRows, type Pruned } from './prune.js'
import type { Tables } from './transfer-rows.js'
import { keepUncounted, lockCursor, writeStep } from './write-step.js'

export interface SessionOptions extends Pick<OpenOptions, 'network' | 'watch'> {
  readonly retain?: number | undefined
  readonly tokens: readonly DefinedToken[]
  readonly shared?: Pick<SharedQueue, 'queue' | 'minConfirmations' | 'signal'> | undefined
}

/** Prepares the schema, then reads the stored position. Closes the connection where that fails. */
export async function openPostgresSession(
  session: SqlSession,
  schema: string,
  { network, watch, retain, tokens, shared }: SessionOptions,
): Promise<FeedSession> {
  try {
    await migrate(session, schema, MIGRATIONS)
    await session.run((query) => numberNetwork(query, { schema, network }))
    const tokenTables = { schema, network, tokens, programs: programsOf(tokens) }
    await session.run((query) => requireTokens(query, tokenTables))
    const table = watch === 'table' ? new PostgresRequests(session, { schema, network }) : undefined
    await table?.listen() // before the first read: nothing is missed in between
    const [position] = await session.run((query) =>
      query(`select value from ${quote(schema)}.cursor where network = $1`, [network]),
    )
    const watched = await readWatched(session, schema, network)
    const requestedByOthers = watch === 'table' ? undefined : await readRequested(session, schema, network)
    if (table !== undefined) await session.run((query) => keepUncounted(query, { schema, network }))
    const cursor = position === undefined ? null : textOf(position, 'value')
    const feed = toFeedSession(session, {
      ...{ schema, network, watch, cursor, table, watched, requestedByOthers, retain },
      tokenTables,
    })
    return shared === undefined ? feed : await shareSession(session, feed, { schema, network, watch, ...shared })
  } catch (error) {
    await session.close()
    throw error
  }
}

const programsOf = (tokens: readonly DefinedToken[]): TokenTables['programs'] =>
  new Map(tokens.map(({ covenantId, program }) => [covenantId, program.contract]))

/** Rows name their network by its number. */
const numberNetwork = (query: Query, { schema, network }: Tables): Promise<unknown> => {
  const table = `${quote(schema)}.network`
  return query(
    `insert into ${table} (name) select $1 where not exists (select from ${table} where name = $1) on conflict do nothing`,
    [network],
  )
}

/** Rows of one query: all at once, a million rows would take several times the memory of their addresses. */
const PAGE = 10_000

/** The addresses that count. */
async function readWatched(session: SqlSession, schema: string, network: string): Promise<readonly string[]> {
  const watched: string[] = []
  for (;;) {
    const rows = await session.run((query) =>
      query(
        `select address from ${quote(schema)}.watched_address
          where network = $1 and opened_blue_score is not null and address > $2 order by address limit $3::text::bigint`,
        [network, watched.at(-1) ?? '', String(PAGE)],
      ),
    )
    for (const row of rows) watched.push(addressOf(row))
    if (rows.length < PAGE) return watched
  }
}

/** The addresses that count and that programs have inserted: their triggers give rows a generation. */
async function readRequested(session: SqlSession, schema: string, network: string): Promise<ReadonlySet<string>> {
  const rows = await session.run((query) =>
    query(
      `select address from ${quote(schema)}.watched_address
        where network = $1 and opened_blue_score is not null and generation > 0`,
      [network],
    ),
  )
  return new Set(rows.map(addressOf))
}

interface Opened {
  readonly schema: string
  readonly network: string
  readonly watch: 'table' | 'given'
  readonly cursor: string | null
  readonly watched: readonly string[]
  readonly requestedByOthers: ReadonlySet<string> | undefined
  readonly table: PostgresRequests | undefined
  /** How long rows are kept, in ms; undefined for ever. */
  readonly retain: number | undefined
  readonly tokenTables: TokenTables
}

/** How often rows are pruned where a batch was not full, in ms. */
const PRUNE_INTERVAL = 10_000

function toFeedSession(session: SqlSession, opened: Opened): PostgresFeedSession {
  const { schema, network, watch, cursor, watched, requestedByOthers, table, retain, tokenTables } = opened
  let previous = cursor
  let pruned: Pruned = { count: 0, blueScore: 0n, isFull: true }
  let prunedAt = 0
  const prune = async (age: number): Promise<void> => {
    if (!pruned.isFull && Math.abs(Date.now() - prunedAt) < PRUNE_INTERVAL) return
    prunedAt = Date.now()
    pruned = await session.transaction(async (query) => {
      await lockCursor(query, { schema, network, watch, previous })
      return pruneRows(query, { schema, network }, age, pruned.blueScore)
    })
  }
  return {
    cursor,
    watched,
    requestedByOthers,
    async write(step, beside) {
      const tokens = toStoreTokens(step, tokenTables, beside)
      const unwanted = await writeStep(session, { schema, network, watch, previous }, step, tokens)
      previous = step.cursor
      if (retain !== undefined && step.isLive) await prune(retain)
      return unwanted
    },
    findCredits: (outpoints) => session.run((query) => readCredits(query, schema, network, outpoints)),
    findOpenings: async (blueScore) => {
      const rows = await session.run((query) =>
        query(
          `select address, opened_blue_score::text as blue_score from ${quote(schema)}.watched_address
            where network = $1 and opened_blue_score > $2::text::bigint`,
          [network, String(blueScore)],
        ),
      )
      return rows.map((row): AddressOpening => ({
        address: addressOf(row),
        blueScore: BigInt(textOf(row, 'blue_score')),
      }))
    },
    readTokens: ({ isWhole }) => session.run((query) => readStoredTokens(query, tokenTables, isWhole)),
    requests: table,
    heartbeat$: session.heartbeat$,
    dropped: session.dropped,
    close: () => session.close(),
  }
}

/** Stores what a step changes of tokens beside its transfers, before what others store there. */
function toStoreTokens(
  { tokens, rollback }: FeedStep,
  tables: TokenTables,
  beside: ((query: Query) => Promise<void>) | undefined,
): typeof beside {
  if (tokens === undefined) return beside
  return async (query) => {
    await storeTokens(query, tables, tokens, rollback)
    await beside?.(query)
  }
}

async function readCredits(
  query: Query,
  schema: string,
  network: string,
  outpoints: readonly Outpoint[],
): Promise<readonly StoredCredit[]> {
  const s = quote(schema)
  const rows = await query(
    `select o.id, o.index, a.address, t.amount::text as amount, ${s}.hash_text(nullif(t.covenant_id, '')) as covenant_id
      from unnest($2::text[], $3::text[]) as o (id, index)
      join ${s}.transfer_row as t on t.outpoint_transaction_id = decode(o.id, 'hex') and t.outpoint_index = o.index::integer
      join ${s}.address as a on a.id = t.address_id
      where t.network_id = (select id from ${s}.network where name = $1) and not t.is_debit`,
    [network, outpoints.map(({ transactionId }) => transactionId), outpoints.map(({ index }) => String(index))],
  )
  return rows.map((row) => ({
    outpoint: { transactionId: textOf(row, 'id'), index: Number(textOf(row, 'index')) },
    address: addressOf(row),
    amount: BigInt(textOf(row, 'amount')),
    covenantId: row.covenant_id === null ? undefined : textOf(row, 'covenant_id'),
  }))
}

const addressOf = (row: SqlRow): string => textOf(row, 'address')
