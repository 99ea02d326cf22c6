import type { Observable } from 'rxjs'
import { CHUNK } from '../address-keeper.js'
import type { AddressRequest, RequestIds, RequestLimits } from '../address-request.js'
import type { RequestTable } from '../sink.js'
import { quote } from '../../sql/quote.js'
import { watchChannel } from './schema.js'
import { textOf, type SqlRow, type SqlSession } from '../../sql/session.js'
import { runStatement } from '../../sql/statement.js'
import type { Tables } from './transfer-rows.js'

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
