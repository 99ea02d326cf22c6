import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { createFeed } from '../../../src/feed/create-feed.js'
import { createPostgresSink } from '../../../src/feed/postgres/create-postgres-sink.js'
import type { PostgresPool } from '../../../src/sql/pool-database.js'
import { FULL, runs } from '../../full.js'
import { LIMIT } from '../../limits.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../support/postgres-cluster.js'

const BALANCE = 100_000_000_000n
const KAS = 100_000_000n

type Event =
  | { readonly type: 'insert' | 'delete' | 'replace'; readonly address: number; readonly since: number | null }
  | { readonly type: 'since'; readonly address: number; readonly since: number | null }
  | { readonly type: 'reset' | 'clear error' | 'nonsense' | 'open' | 'pay'; readonly address: number }
  | { readonly type: 'truncate' | 'refill' | 'kill' | 'quiet' }
  | { readonly type: 'mine' | 'reorg' | 'pause'; readonly count: number }

const address = fc.nat(2)
const since = fc.option(fc.nat(5), { freq: 1 })
const count = fc.integer({ min: 1, max: 3 })
const types = <T extends string>(...names: T[]) => fc.constantFrom(...names)

const histories = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: types('insert', 'delete', 'replace'), address, since }) },
    { weight: 1, arbitrary: fc.record({ type: types('since'), address, since }) },
    { weight: 2, arbitrary: fc.record({ type: types('reset', 'clear error', 'nonsense', 'open'), address }) },
    { weight: 4, arbitrary: fc.record({ type: types('pay'), address }) },
    { weight: 2, arbitrary: fc.record({ type: types('truncate', 'refill', 'kill', 'quiet') }) },
    { weight: 6, arbitrary: fc.record({ type: types('mine', 'reorg', 'pause'), count }) },
  ) satisfies fc.Arbitrary<Event>,
  { minLength: 5, maxLength: 25 },
)

/** A network, its feed, and a program that changes the rows of `watched_address`. */
class Play {
  static #schemas = 0
  readonly #schema = `rows_${++Play.#schemas}`
  #feed: { readonly kill: () => Promise<void> } | undefined

  private constructor(
    private readonly pool: pg.Pool,
    private readonly devnode: Devnode,
    private readonly engine: ChainEngine,
  ) {}

  static async begin(pool: pg.Pool): Promise<Play> {
    const devnode = await createDevnode({ blockInterval: 0, accounts: 3, balance: BALANCE })
    const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
    await engine.connection.connect()
    const play = new Play(pool, devnode, engine)
    await devnode.mine(6)
    play.#start()
    await expect
      .poll(() => play.#sql("select to_regclass('{s}.cursor')::text as name"))
      .toEqual([{ name: expect.any(String) }])
    return play
  }

  async apply(event: Event): Promise<void> {
    switch (event.type) {
      case 'insert':
        return this.#insert(event.address, event.since)
      case 'delete':
        return this.#change('delete from {s}.watched_address where address = $1', event.address)
      case 'replace': // one statement each: also between two reads of the feed
        await this.#change('delete from {s}.watched_address where address = $1', event.address)
        return this.#insert(event.address, event.since)
      case 'since':
        return this.#change('update {s}.watched_address set since = $2 where address = $1', event.address, event.since)
      case 'reset':
        return this.#change('update {s}.watched_address set opened_blue_score = null where address = $1', event.address)
      case 'clear error':
        return this.#change('update {s}.watched_address set error = null where address = $1', event.address)
      case 'open':
        return this.#change('update {s}.watched_address set opened_blue_score = 3 where address = $1', event.address)
      case 'nonsense':
        return this.#change("update {s}.watched_address set since = 'nonsense' where address = $1", event.address)
      case 'truncate':
        await this.#sql('truncate {s}.watched_address')
        return
      case 'refill':
        await this.#sql('truncate {s}.watched_address')
        for (const index of [0, 1, 2]) await this.#insert(index, null)
        return
      case 'kill':
        await this.#feed?.kill()
        this.#start()
        return
      case 'quiet':
        return this.untilEqual()
      case 'pay':
        await this.devnode.fund(this.#address(event.address), KAS)
        return
      case 'mine':
        await this.devnode.mine(event.count)
        return
      case 'reorg':
        await this.devnode.reorg({ depth: event.count })
        return
      case 'pause':
        for (let turn = 0; turn < 4 ** event.count; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Waits until every change has had its effect, and the sums of all rows are right. */
  async untilEqual(): Promise<void> {
    await expect.poll(() => this.#faults(), { interval: 20 }).toEqual([])
  }

  async end(): Promise<void> {
    await this.#feed?.kill()
    await this.engine.dispose()
    await this.devnode.close()
    await this.#sql('drop schema {s} cascade')
  }

  #start(): void {
    let cut = (): void => undefined
    const through: PostgresPool = {
      connect: async () => {
        const client = await this.pool.connect()
        cut = () => (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
        return client
      },
    }
    const sink = createPostgresSink({ pool: through, schema: this.#schema })
    const feed = createFeed({ engine: this.engine, watch: 'table', minConfirmations: 0, sink })
    const controller = new AbortController()
    const done = feed.run({ signal: controller.signal })
    this.#feed = {
      kill: async () => {
        controller.abort()
        cut() // the server rolls back what was not committed
        await done
      },
    }
  }

  #address = (index: number): string => this.devnode.accounts[index]!.address

  /** The hash of a block that no reorg of the history reaches, or none. */
  #since = (since: number | null): string | null =>
    since === null ? null : (this.devnode.expected.chain()[since % 3] ?? null)

  async #insert(index: number, since: number | null): Promise<void> {
    await this.#sql(
      "insert into {s}.watched_address (network, address, since) values ('simnet', $1, $2) on conflict do nothing",
      [this.#address(index), this.#since(since)],
    )
  }

  async #change(text: string, index: number, since?: number | null): Promise<void> {
    await this.#sql(text, [this.#address(index), ...(since === undefined ? [] : [this.#since(since)])])
  }

  async #faults(): Promise<readonly string[]> {
    await this.devnode.mine()
    const ended = await this.#sql('select address from {s}.ended_watch')
    const watched = await this.#sql(
      'select address, since, error, opened_blue_score as opened from {s}.watched_address',
    )
    const kept = await this.#sql('select address, valid_until_blue_score::text as score from {s}.unwatched_address')
    const sums =
      await this.#sql(`select b.address, b.amount::text, coalesce(sum(case t.direction when 'credit' then t.amount else -t.amount end), 0)::text as rows
      from {s}.balance as b left join {s}.transfer as t using (network, address) group by 1, 2`)
    const balances = new Map(sums.map((row) => [String(row.address), String(row.amount)]))
    const refused = watched.filter(({ error }) => error !== null)
    return [
      ...ended.map((row) => `the end of ${String(row.address)} was not processed`),
      ...refused.flatMap(({ address, since, error }) =>
        since === 'nonsense' ? [] : [`${String(address)}: ${String(error)}`],
      ),
      ...watched.flatMap(({ address, error, opened }) => {
        if (error !== null) return []
        if (opened === null) return [`${String(address)} does not count`]
        const actual = this.#balanceAt(String(address))
        const stored = balances.get(String(address)) ?? '0'
        return stored === String(actual) ? [] : [`${String(address)} has ${stored}, ${actual} on the chain`]
      }),
      ...sums.flatMap(({ address, amount, rows }) =>
        amount === rows ? [] : [`${String(address)} has a balance of ${String(amount)}, rows of ${String(rows)}`],
      ),
      ...(await Promise.all(kept.map((row) => this.#keptFault(String(row.address), row.score)))).flat(),
    ]
  }

  /** Rows of an address that is not watched any more are right up to the blue score that is stored for it. */
  async #keptFault(address: string, score: unknown): Promise<readonly string[]> {
    if (typeof score !== 'string') return [`${address} is kept without a score`]
    const [row] = await this.#sql(
      `select coalesce(sum(case direction when 'credit' then amount else -amount end), 0)::text as sum from {s}.transfer
        where address = $1 and accepting_blue_score <= $2::bigint`,
      [address, score],
    )
    const above = await this.#sql(
      'select 1 from {s}.transfer where address = $1 and is_opening and accepting_blue_score > $2::bigint',
      [address, score],
    )
    if (above.length > 0) return [] // a reorg below its opening: no row of it is known to be right
    const actual = String(this.#balanceAt(address, BigInt(score)))
    return row?.sum === actual
      ? []
      : [`${address} was left with ${String(row?.sum)} at ${score}, ${actual} on the chain`]
  }

  #balanceAt(address: string, blueScore?: bigint): bigint {
    return this.devnode.expected
      .transfers([address])
      .filter((one) => blueScore === undefined || one.acceptingBlueScore <= blueScore)
      .reduce((sum, { direction, amount }) => (direction === 'credit' ? sum + amount : sum - amount), BALANCE)
  }

  async #sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return (await this.pool.query<Record<string, unknown>>(text.replaceAll('{s}', this.#schema), values)).rows
  }
}

describe.skipIf(!hasPostgres)('rows of watched_address', () => {
  let cluster: PostgresCluster
  let pool: pg.Pool

  beforeAll(async () => {
    cluster = await startPostgres()
    pool = cluster.pool()
  })

  afterAll(() => cluster.stop())

  it(
    'have one effect each, whatever happens to them during passes: sums equal those of the node at each quiet point',
    { timeout: FULL ? 7_200_000 : LIMIT },
    () =>
      fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const play = await Play.begin(pool)
          try {
            for (const event of history) await play.apply(event)
            await play.untilEqual()
          } finally {
            await play.end()
          }
        }),
        { numRuns: runs(5, 2_000), endOnFailure: true },
      ),
  )
})
