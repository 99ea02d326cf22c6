import { loadCode } from '../../loading/load-code.js'
import { PayoutError } from '../../errors/payout-error.js'
import type { OutpointKey } from '../../model/utxo.js'
import { quote, textOf, type Query, type SqlRow, type SqlSession, runStatement } from '../../sql/session.js'
import type {
  GroupQuery,
  JournalAccess,
  JournalChange,
  JournalEvent,
  JournalWallet,
  PayoutGroup,
  PayoutQuery,
  PayoutRecord,
  PayoutRequest,
  PruneQuery,
  Pruned,
  StateCount,
} from '../../streams/payouts/journal.js'
import type { PayoutStateName } from '../../streams/payouts/progress.js'
import {
  ATTEMPT_COLUMNS,
  GROUP_COLUMNS,
  PAYOUT_COLUMNS,
  byGroup,
  inStates,
  parseEvent,
  payoutsByKey,
  toAttempt,
  toGroup,
  toPayout,
  toWallet,
} from './rows.js'
import { StaleChange, writeChange, type SqlScope } from './write-change.js'

/** Runs statements, each on one connection. */
export type SqlRunner = Pick<SqlSession, 'run' | 'transaction'>

/** A database transaction of the caller: a client of `pg`, or a transaction of `PGlite`. */
export interface SqlClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** The rows of one wallet in tables of PostgreSQL. */
export class SqlAccess implements JournalAccess {
  readonly #s: string

  constructor(
    private readonly runner: SqlRunner,
    private readonly scope: SqlScope,
    private readonly onWrite: () => void,
  ) {
    this.#s = quote(scope.schema)
  }

  async add(request: PayoutRequest, client?: SqlClient): Promise<PayoutRecord> {
    // rows are records
    const own: Query = async (text, values = []) => (await client?.query(text, [...values]))?.rows as readonly SqlRow[]
    const rows = await (client === undefined
      ? this.runner.run((query) => this.#add(query, request))
      : this.#add(own, request))
    this.onWrite()
    const [row] = rows
    if (row === undefined) throw new TypeError('The database returned no row')
    if (textOf(row, 'wallet') !== this.scope.wallet) throw otherWallet(request.id, textOf(row, 'wallet'))
    return toPayout(row)
  }

  async find(ids: readonly string[]): Promise<readonly PayoutRecord[]> {
    const { network, wallet } = this.scope
    const rows = await this.runner.run((query) =>
      runStatement(query, (bind) => {
        const scope = { s: this.#s, network: bind(network), wallet: bind(wallet) }
        return `select found.* from ${payoutsByKey(scope, { ids: bind(ids), columns: PAYOUT_COLUMNS, end: 'offset 0' })}`
      }),
    )
    return rows.map(toPayout)
  }

  async list({ states, addresses, after, isNewestFirst, limit }: PayoutQuery): Promise<readonly PayoutRecord[]> {
    const [compare, order] = isNewestFirst === true ? ['<', 'desc'] : ['>', 'asc']
    const rows = await this.runner.run((query) =>
      runStatement(query, (bind) => {
        const conditions = [
          `network = ${bind(this.scope.network)} and wallet = ${bind(this.scope.wallet)}`,
          ...(after === undefined ? [] : [`sequence ${compare} ${bind(String(after))}::text::bigint`]),
          ...(states === undefined ? [] : [inStates(states, bind)]),
          ...(addresses === undefined ? [] : [`address = any(${bind(addresses)}::text[])`]),
        ]
        return `select ${PAYOUT_COLUMNS} from ${this.#s}.payout where ${conditions.join(' and ')}
          order by payout.sequence ${order} limit ${bind(String(limit))}::text::bigint`
      }),
    )
    return rows.map(toPayout)
  }

  async due(limit: number): Promise<readonly PayoutRecord[]> {
    const { network, wallet } = this.scope
    const text = `select ${PAYOUT_COLUMNS} from ${this.#s}.payout
      where network = $1 and wallet = $2 and grp is null and state in ('queued', 'waiting')
        and (not_before is null or not_before <= now())
      order by payout.sequence limit $3::text::bigint`
    return (await this.runner.run((query) => query(text, [network, wallet, String(limit)]))).map(toPayout)
  }

  groups(query: GroupQuery): Promise<readonly PayoutGroup[]> {
    switch (query.of) {
      case 'open':
        return this.#groups(`state <> 'settled' and $3::text[] is null`, null)
      case 'requested':
        return this.#groups(
          `$3::text[] is null and state = 'open' and (bump_rate is not null or id in (
            select grp from ${this.#s}.payout where network = $1 and wallet = $2 and state = 'cancelling'))`,
          null,
          true,
        )
      case 'ids':
        return this.#groups('id = any($3::text[])', query.ids)
      case 'transactions':
        return this.#groups(
          `id in (select grp from ${this.#s}.payout_attempt where network = $1 and transaction_id = any($3::text[]))`,
          query.ids,
        )
      case 'above':
        return this.#groups(
          `(id in (select grp from ${this.#s}.payout_attempt where network = $1 and accepted_blue_score > ($3::text[])[1]::bigint)
            or exists (select from jsonb_array_elements(conflicts) as c where (c ->> 'blueScore')::bigint > ($3::text[])[1]::bigint))`,
          [String(query.blueScore)],
        )
    }
  }

  wallet(): Promise<JournalWallet> {
    const { network, wallet } = this.scope
    return this.runner.run(async (query) => {
      const rows = await query(
        `select c.value, coalesce(c.is_on_hold, false)::text as is_on_hold,
            d.transaction_id, d.is_acknowledged::text as is_acknowledged, d.ids::text as ids
          from (select $1::text as network, $2::text as wallet) as w
            left join ${this.#s}.payout_cursor as c on c.network = w.network and c.wallet = w.wallet
            left join ${this.#s}.payout_debit as d on d.network = w.network and d.wallet = w.wallet
          order by d.transaction_id`,
        [network, wallet],
      )
      return toWallet(rows)
    })
  }

  async taken(outpoints: readonly OutpointKey[]): Promise<ReadonlySet<OutpointKey>> {
    const rows = await this.runner.run((query) =>
      query(
        `select o.outpoint from unnest($2::text[]) as o (outpoint)
          where exists (select from ${this.#s}.payout_claim as c where c.network = $1 and c.outpoint = o.outpoint)
            or exists (select from ${this.#s}.payout_attempt as a
              join ${this.#s}.payout_group as g on g.network = a.network and g.id = a.grp
              where a.network = $1 and a.transaction_id = split_part(o.outpoint, ':', 1) and g.state <> 'settled')`,
        [this.scope.network, outpoints],
      ),
    )
    return new Set(rows.map((row) => textOf(row, 'outpoint') as OutpointKey)) // one of the argument's
  }

  /**
   * Numbers are given before a transaction is committed: those of transactions that run at the first read may be below
   * the newest one. So the events up to it are read once all of these have ended.
   */
  events(after: bigint, limit: number): Promise<readonly JournalEvent[]> {
    const { network, wallet } = this.scope
    return this.runner.run(async (query) => {
      const [newest] = await query(
        `select pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
          (select coalesce(max(sequence), 0)::text from ${this.#s}.payout_event where network = $1 and wallet = $2) as sequence`,
        [network, wallet],
      )
      if (newest === undefined || BigInt(textOf(newest, 'sequence')) <= after) return []
      const [ended] = await query(`select (pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8)::text as ended`, [
        textOf(newest, 'xmax'),
      ])
      if (ended === undefined || textOf(ended, 'ended') !== 'true') return [] // read again with the next change
      const rows = await query(
        `select sequence::text as sequence, id, event::text as event, (extract(epoch from at) * 1000)::bigint::text as at
          from ${this.#s}.payout_event
          where network = $1 and wallet = $2 and payout_event.sequence > $3::text::bigint
            and payout_event.sequence <= $4::text::bigint
          order by payout_event.sequence limit $5::text::bigint`,
        [network, wallet, String(after), textOf(newest, 'sequence'), String(limit)],
      )
      return rows.map((row) => ({
        number: BigInt(textOf(row, 'sequence')),
        id: textOf(row, 'id'),
        event: parseEvent(textOf(row, 'event')),
        at: Number(textOf(row, 'at')),
      }))
    })
  }

  async counts(): Promise<readonly StateCount[]> {
    const { network, wallet } = this.scope
    const rows = await this.runner.run((query) =>
      query(
        `select state, count(*)::text as count, (extract(epoch from min(requested_at)) * 1000)::bigint::text as oldest
          from ${this.#s}.payout where network = $1 and wallet = $2 group by state`,
        [network, wallet],
      ),
    )
    return rows.map((row) => ({
      state: textOf(row, 'state') as PayoutStateName, // checked by the table
      count: Number(textOf(row, 'count')),
      oldest: Number(textOf(row, 'oldest')),
    }))
  }

  async prune(query: PruneQuery): Promise<Pruned> {
    const { pruneRows } = await loadCode(() => import('./prune-rows.js'))
    return this.runner.transaction((run) => pruneRows(run, this.scope, query))
  }

  write(change: JournalChange): Promise<boolean> {
    return this.writeIn(change, (work) => this.runner.transaction(work))
  }

  /** As `write`, within the transaction that `transact` runs. */
  async writeIn(
    change: JournalChange,
    transact: (work: (query: Query) => Promise<void>) => Promise<void>,
  ): Promise<boolean> {
    try {
      await transact((query) => writeChange(query, this.scope, change))
      this.onWrite()
      return true
    } catch (error) {
      if (error instanceof StaleChange) return false
      throw error
    }
  }

  /**
   * One statement: the row that it adds, or the one that is there. The latter may be of a transaction that the snapshot
   * lacks.
   */
  async #add(query: Query, request: PayoutRequest): Promise<readonly SqlRow[]> {
    const { network, wallet } = this.scope
    const { id, address, amount, notBefore } = request
    const values = [network, id, wallet, address, String(amount), notBefore === null ? null : String(notBefore)]
    const text = `with added as (
        insert into ${this.#s}.payout (network, id, wallet, address, amount, not_before)
          values ($1, $2, $3, $4, $5::text::bigint, to_timestamp($6::text::double precision / 1000))
          on conflict (network, id) do nothing returning *
      )
      select ${PAYOUT_COLUMNS} from added
      union all select ${PAYOUT_COLUMNS} from ${this.#s}.payout
        where network = $1 and id = $2 and not exists (select from added)`
    const rows = await query(text, values)
    return rows.length > 0 ? rows : query(text, values)
  }

  /**
   * In one snapshot, so that attempts and payouts belong to their groups. `isRare`: mostly there are none, for
   * which one round trip suffices.
   */
  async #groups(
    condition: string,
    parameter: readonly string[] | null,
    isRare = false,
  ): Promise<readonly PayoutGroup[]> {
    const { network, wallet } = this.scope
    const text = `select ${GROUP_COLUMNS} from ${this.#s}.payout_group where network = $1 and wallet = $2 and ${condition}`
    const values = [network, wallet, parameter]
    if (isRare && (await this.runner.run((query) => query(text, values))).length === 0) return []
    return this.runner.transaction(async (query) => {
      await query('set transaction isolation level repeatable read')
      const found = await query(text, values)
      if (found.length === 0) return []
      const groups = found.map(toGroup)
      const of = [network, groups.map(({ id }) => id)]
      const attempts = await query(
        `select ${ATTEMPT_COLUMNS} from ${this.#s}.payout_attempt where network = $1 and grp = any($2::text[]) order by payout_attempt.number`,
        of,
      )
      const payouts = await query(
        `select ${PAYOUT_COLUMNS} from ${this.#s}.payout where network = $1 and grp = any($2::text[]) order by payout.sequence`,
        of,
      )
      const [attemptsOf, payoutsOf] = [byGroup(attempts), byGroup(payouts)]
      return groups.map((group) => ({
        ...group,
        attempts: (attemptsOf.get(group.id) ?? []).map(toAttempt),
        payouts: (payoutsOf.get(group.id) ?? []).map(toPayout),
      }))
    })
  }
}

const otherWallet = (id: string, wallet: string): PayoutError =>
  new PayoutError(`The id "${id}" belongs to the wallet "${wallet}"`, {
    code: 'id-conflict',
    ids: [id],
    hint: 'Ids are unique in a network of a schema.',
  })
