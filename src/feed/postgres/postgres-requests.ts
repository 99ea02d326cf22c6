import type { Observable } from 'rxjs'
import { CHUNK } from '../address-keeper.js'
import type { AddressRequest, RequestIds, RequestLimits, RequestTable, FeedSession, FeedStep } from '../sink.js'
import { quote, textOf, type SqlRow, type SqlSession, type Query, runStatement } from '../../sql/session.js'
import { watchChannel, MARK } from './schema.js'
import type { Tables } from './transfer-rows.js'
import type { FeedPosition, FeedQueue } from '../../streams/payouts/feed-queue.js'

/** Rows among which different values of `since` are looked for. */
const SAMPLE = 1_000

/**
 * The requests of programs: rows of `watched_address` that do not count yet, and of `ended_watch`. Their generation is
 * their name.
 */
export class PostgresRequests implements RequestTable {
  changes$!: Observable<void> // set by `listen`, before anything reads it

  constructor(
    private readonly session: SqlSession,
    private readonly tables: Tables,
  ) {}

  async listen(): Promise<void> {
    this.changes$ = await this.session.listen(watchChannel(this.tables.schema))
  }

  /**
   * One statement, so that all is of one moment: a row that was deleted and inserted again is there as both, or as
   * neither. The newest rows come first, so that one is not behind a million others.
   */
  async read({ addresses, passes, pending }: RequestLimits): Promise<readonly AddressRequest[]> {
    const s = quote(this.tables.schema)
    const rows = await this.session.run((query) =>
      runStatement(query, (bind) => {
        const network = bind(this.tables.network)
        const left = bind(pending)
        const number = (value: number): string => `${bind(String(value))}::text::bigint`
        const requested = (alias: string) => `${alias}.network = ${network} and ${alias}.opened_blue_score is null
          and ${alias}.error is null and ${alias}.address <> all(${left}::text[])
          and not exists (select from ${s}.ended_watch as e where e.network = ${alias}.network and e.address = ${alias}.address)`
        return `select 'deleted' as type, address, generation::text as id, null as since
            from ${s}.ended_watch where network = ${network}
          union all (select 'added', w.address, w.generation::text, null from ${s}.watched_address as w
            where ${requested('w')} and w.since is null order by w.generation desc limit ${number(addresses)})
          union all (select 'added', w.address, w.generation::text, w.since from ${s}.watched_address as w
            where ${requested('w')} and w.since in (
              select distinct o.since from (
                select p.since from ${s}.watched_address as p where ${requested('p')} and p.since is not null
                  order by p.generation limit ${passes === 0 ? '0' : String(SAMPLE)}
              ) as o limit ${number(passes)}
            ) limit ${number(passes * CHUNK)})`
      }),
    )
    const deleted = rows.filter(({ type }) => type === 'deleted')
    const added = rows.filter(({ type }) => type === 'added')
    return [...(deleted.length === 0 ? [] : [toRequest('deleted', deleted)]), ...groupBySince(added)]
  }

  async refuse(addresses: readonly string[], reason: string, ids: RequestIds = new Map()): Promise<void> {
    await this.session.run((query) =>
      runStatement(query, (bind) => {
        const [names, generations] = [bind(addresses), bind(addresses.map((address) => ids.get(address) ?? null))]
        return `update ${quote(this.tables.schema)}.watched_address as w set error = ${bind(reason)}
          from unnest(${names}::text[], ${generations}::text[]) as r (address, generation)
          where w.network = ${bind(this.tables.network)} and w.address = r.address and w.generation = r.generation::bigint`
      }),
    )
  }
}

/** Addresses that count from the same position share a pass over the chain. */
function groupBySince(rows: readonly SqlRow[]): readonly AddressRequest[] {
  const groups = new Map<string | undefined, SqlRow[]>()
  for (const row of rows) {
    const since = row.since === null ? undefined : textOf(row, 'since')
    const group = groups.get(since)
    if (group === undefined) groups.set(since, [row])
    else group.push(row)
  }
  return [...groups].map(([since, group]) => ({ ...toRequest('added', group), since }))
}

const toRequest = (type: AddressRequest['type'], rows: readonly SqlRow[]): AddressRequest => ({
  type,
  addresses: rows.map((row) => textOf(row, 'address')),
  ids: new Map(rows.map((row) => [textOf(row, 'address'), textOf(row, 'id')])),
})

/** A session whose steps take other statements into their transaction. */
export interface PostgresFeedSession extends FeedSession {
  /** `beside` writes in the transaction of the step, after it. */
  write(step: FeedStep, beside?: (query: Query) => Promise<void>): Promise<readonly string[]>
}

/** A queue of payouts that works on the connection of a feed. */
export interface SharedQueue extends Tables, Pick<FeedPosition, 'minConfirmations'> {
  readonly queue: FeedQueue
  readonly watch: 'table' | 'given'
  readonly signal: AbortSignal
}

/** A session in which a queue works, too. Rejects as `run` of the queue. */
export async function shareSession(
  session: SqlSession,
  feed: PostgresFeedSession,
  { queue, watch, minConfirmations, signal, ...tables }: SharedQueue,
): Promise<FeedSession> {
  const own = new Set(queue.addresses)
  const request = async (): Promise<void> => {
    if (watch === 'table') await requestAddresses(session, tables, queue.addresses)
  }
  await request()
  const { cursor, watched } = feed
  const shared = await queue.open(session, { cursor, watched, minConfirmations }, signal)
  const write = async (step: FeedStep, isDue: boolean): Promise<readonly string[] | undefined> => {
    const unwanted = await shared.write(step, (beside) => feed.write(step, beside), isDue)
    if (unwanted !== undefined && [...step.removed, ...unwanted].some((address) => own.has(address))) await request()
    return unwanted
  }
  const dropped = Promise.race([feed.dropped, shared.failed])
  dropped.catch(() => undefined) // handled once the feed delivers
  return {
    ...feed,
    write: async (step) => (await write(step, true)) ?? [],
    pass: (step) => write(step, false),
    dropped,
    async close() {
      await shared.close()
      await feed.close()
    },
  }
}

/**
 * Requests addresses as other programs do: their triggers name the rows. A row that was refused, or deleted, is
 * requested again.
 */
const requestAddresses = (
  session: SqlSession,
  { schema, network }: Tables,
  addresses: readonly string[],
): Promise<unknown> =>
  session.transaction(async (query) => {
    await query('select set_config($1, $2, true)', [MARK, 'off'])
    await query(
      `insert into ${quote(schema)}.watched_address as w (network, address)
        select $1, address from unnest($2::text[]) as r (address)
        on conflict (network, address) do update set since = null, error = null where w.error is not null`,
      [network, addresses],
    )
    await query('select set_config($1, $2, true)', [MARK, 'on'])
  })
