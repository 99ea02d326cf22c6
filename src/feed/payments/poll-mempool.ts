import type { ChainEngine } from '../../engine/engine.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import { quote, textOf, type Query, type SqlSession } from '../../sql/session.js'
import type { SeenPayment } from '../../streams/requests/record.js'
import type { RequestLook } from './evaluate.js'
import { evaluateLooks, type EvaluatorContext } from './evaluator.js'
import { ms, type PaymentTables } from './request-rows.js'

/** Addresses of one call, and calls of one round. */
const [ADDRESSES, CALLS] = [1_000, 10]

/** Payments of a request that one look takes, at most. */
const MAX_PAYMENTS = 1_000

/** What a poller uses of an engine. */
export type MempoolEngine = Pick<ChainEngine, 'rpc'>

interface Polled {
  readonly id: string
  readonly address: string
  readonly createdAt: number
  readonly expiresAt: number
  /** Whether the mempool decides about a payment of it. */
  readonly hasUnaccepted: boolean
}

/**
 * Looks the open requests up in the mempool, round by round: the newest ones in each round, the others in turn. One
 * instance has the lease for it.
 */
export class MempoolPoller {
  /** When a request was looked up, by id: in this turn through all requests, and in the one before. */
  #looked = new Map<string, number>()
  #lookedBefore = new Map<string, number>()
  /** Where the next round goes on; undefined at the beginning of a turn. */
  #after: Polled | undefined
  #turnBegan: number | undefined
  /** Since when each open request was looked up, in Unix ms by the database; null before the first turn. */
  completeSince: number | null = null

  constructor(
    private readonly context: EvaluatorContext & { readonly session: SqlSession },
    private readonly engine: MempoolEngine,
    private readonly signal: AbortSignal,
  ) {}

  /** Looks at the mempool; resolves to the number of events that it has brought. */
  async round(): Promise<number> {
    const { session, tables } = this.context
    const { now, lookedAt } = await session.run((query) => readClock(query, tables))
    this.#turnBegan ??= now
    const newest = await session.run((query) => readOpen(query, tables, undefined))
    let events = await this.#look(newest, now, lookedAt)
    events += await this.#look(await session.run((query) => readUnaccepted(query, tables)), now, lookedAt)
    let after = this.#after ?? endOf(newest)
    for (let call = 1; after !== undefined && call < CALLS; call++) {
      const from = after
      const page = await session.run((query) => readOpen(query, tables, from))
      events += await this.#look(page, now, lookedAt)
      after = endOf(page)
    }
    this.#after = after
    if (after === undefined) await this.#endTurn()
    return events
  }

  /** All open requests were looked up since the turn began. */
  async #endTurn(): Promise<void> {
    const { session, tables } = this.context
    const began = this.#turnBegan ?? 0
    this.completeSince = began
    this.#turnBegan = undefined
    this.#lookedBefore = this.#looked
    this.#looked = new Map()
    await session.run((query) => noteLooked(query, tables, began))
  }

  async #look(polled: readonly Polled[], now: number, lookedAt: number | null): Promise<number> {
    const requests = new Map(polled.map((one) => [one.address, one]))
    if (requests.size === 0) return 0
    const { rpc } = this.engine
    const { signal } = this
    const entries = await rpc.getMempoolEntriesByAddresses([...requests.keys()], { signal })
    const { sinkBlueScore: sink } = await rpc.getSinkBlueScore({ signal })
    const paid = paymentsOf(entries, this.context.tables)
    const looks = new Map<string, RequestLook>()
    for (const { id, address, hasUnaccepted, createdAt } of requests.values()) {
      const outputs = paid.get(address) ?? []
      const since = Math.max(createdAt, this.#looked.get(id) ?? this.#lookedBefore.get(id) ?? lookedAt ?? createdAt)
      if (hasUnaccepted || outputs.length > 0) looks.set(id, { outputs, since, at: now, sink })
    }
    const { events } = await evaluateLooks(this.context, looks)
    for (const { id } of requests.values()) this.#looked.set(id, now)
    return events
  }
}

/** Where the next page begins; undefined after the last one. */
const endOf = (page: readonly Polled[]): Polled | undefined => (page.length < ADDRESSES ? undefined : page.at(-1))

type Entries = Awaited<ReturnType<MempoolEngine['rpc']['getMempoolEntriesByAddresses']>>

/**
 * The outputs that pay each address. What spends from one of the addresses is no payment of a customer, and an orphan
 * may never be accepted.
 */
function paymentsOf(entries: Entries, { network }: PaymentTables): ReadonlyMap<string, readonly SeenPayment[]> {
  const own = new Set(entries.flatMap(({ sending }) => sending.map(({ transaction }) => transaction.id)))
  const { addressPrefix } = NETWORKS[network]
  const paid = new Map<string, readonly SeenPayment[]>()
  for (const { address, receiving } of entries) {
    const payments = receiving
      .filter(({ isOrphan, transaction }) => !isOrphan && !own.has(transaction.id))
      .flatMap(({ transaction: { id, inputs, outputs } }) =>
        outputs.flatMap(({ value, scriptPublicKey }, index) =>
          toAddress(scriptPublicKey, addressPrefix) === address
            ? {
                outpoint: { transactionId: id, index },
                amount: value,
                counterparties: [], // the chain names them
                inputs: inputs.map(({ previousOutpoint }) => previousOutpoint),
              }
            : [],
        ),
      )
    paid.set(address, payments.slice(0, MAX_PAYMENTS))
  }
  return paid
}

async function readClock(query: Query, { schema, network }: PaymentTables) {
  const [row] = await query(
    `select ${ms('now()')}::text as now,
        (select ${ms('looked_at')}::text from ${quote(schema)}.payment_sequence where network = $1) as looked_at`,
    [network],
  )
  if (row === undefined) throw new TypeError('The database returned no row')
  return {
    now: Number(textOf(row, 'now')),
    lookedAt: row.looked_at === null ? null : Number(textOf(row, 'looked_at')),
  }
}

async function noteLooked(query: Query, { schema, network }: PaymentTables, at: number): Promise<void> {
  await query(
    `insert into ${quote(schema)}.payment_sequence as q (network, sequence, looked_at)
        values ($1, 0, to_timestamp($2::text::bigint / 1000.0))
      on conflict (network) do update set looked_at = excluded.looked_at`,
    [network, String(at)],
  )
}

const COLUMNS = `id, address, has_unaccepted::text as has_unaccepted, ${ms('created_at')}::text as created_at,
  ${ms('expires_at')}::text as expires_at`

/**
 * A page of the requests that are not expired, those that expire last first: the newest ones, where all last as long.
 */
async function readOpen(
  query: Query,
  { schema, network }: PaymentTables,
  after: Polled | undefined,
): Promise<readonly Polled[]> {
  const rows = await query(
    `select ${COLUMNS} from ${quote(schema)}.payment_request
      where network = $1 and expires_at > now()
        and (expires_at, id) < (coalesce(to_timestamp($2::text::bigint / 1000.0), 'infinity'), $3::text)
      order by expires_at desc, id desc limit ${ADDRESSES}`,
    [network, after === undefined ? null : String(after.expiresAt), after?.id ?? ''],
  )
  return rows.map(toPolled)
}

/** The expired ones whose payments the mempool decides about. */
async function readUnaccepted(query: Query, { schema, network }: PaymentTables): Promise<readonly Polled[]> {
  const rows = await query(
    `select ${COLUMNS} from ${quote(schema)}.payment_request
      where network = $1 and has_unaccepted and expires_at <= now() order by created_at desc limit ${ADDRESSES}`,
    [network],
  )
  return rows.map(toPolled)
}

const toPolled = (row: Awaited<ReturnType<Query>>[number]): Polled => ({
  id: textOf(row, 'id'),
  address: textOf(row, 'address'),
  hasUnaccepted: row.has_unaccepted === 'true',
  createdAt: Number(textOf(row, 'created_at')),
  expiresAt: Number(textOf(row, 'expires_at')),
})
