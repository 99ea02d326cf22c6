import type { Transfer, TransferTransaction } from '../../streams/transfers/transfer.js'
import { quote, type Query, arrayText, type Bind } from '../../sql/session.js'
import { packAddresses } from './narrow-rows.js'

/** Whose rows are written. */
export interface Tables {
  readonly schema: string
  readonly network: string
}

/** A transfer with the fee of its transaction. */
export interface TransferRow extends Transfer {
  readonly fee: bigint | null
}

type Field = (row: TransferRow) => string | null

/** A hash as an element of an array of `bytea`; empty for none. */
const bytes = (hash: string | null | undefined): string => (hash === null || hash === undefined ? '""' : `\\\\x${hash}`)

/** The columns of `transfer_row` with their types, and how they are written as elements of an array. */
const COLUMNS: readonly (readonly [name: string, type: string, field: Field])[] = [
  ['amount', 'bigint', ({ amount }) => String(amount)],
  ['fee', 'bigint', ({ fee }) => (fee === null ? null : String(fee))],
  ['accepting_blue_score', 'bigint', ({ acceptingBlueScore }) => String(acceptingBlueScore)],
  ['accepting_daa_score', 'bigint', ({ acceptingDaaScore }) => String(acceptingDaaScore)],
  ['accepted_at', 'timestamptz', ({ timestamp }) => (timestamp === null ? null : new Date(timestamp).toISOString())],
  ['outpoint_index', 'integer', ({ outpoint }) => String(outpoint.index)],
  ['is_debit', 'boolean', ({ direction }) => String(direction === 'debit')],
  ['is_coinbase', 'boolean', ({ isCoinbase }) => String(isCoinbase)],
  ['is_opening', 'boolean', ({ isOpening }) => String(isOpening)],
  ['is_change', 'boolean', ({ isChange }) => String(isChange)],
  ['is_internal', 'boolean', ({ isInternal }) => String(isInternal)],
  ['outpoint_transaction_id', 'bytea', ({ outpoint }) => bytes(outpoint.transactionId)],
  // of a credit, that of its outpoint
  [
    'transaction_id',
    'bytea',
    (row) => bytes(row.transactionId === row.outpoint.transactionId ? null : row.transactionId),
  ],
  ['accepting_block_hash', 'bytea', ({ acceptingBlockHash }) => bytes(acceptingBlockHash)],
  ['covenant_id', 'bytea', ({ covenantId }) => bytes(covenantId)],
  [
    'counterparties',
    'base64',
    ({ address, counterparties }) => `"${packAddresses(withoutPrefix(address, counterparties))}"`,
  ],
]

const NAMES = /*#__PURE__*/ COLUMNS.map(([name]) => name).join(', ')

/** All addresses of a network have its prefix, which the row's own address says. */
const withoutPrefix = (address: string, counterparties: readonly string[]): string =>
  counterparties.map((one) => one.slice(address.indexOf(':') + 1)).join(',')

/** The rows of transactions, in their order. */
export const toRows = (transactions: readonly TransferTransaction[]): readonly TransferRow[] =>
  transactions.flatMap(({ transfers, fee }) => transfers.map((transfer) => ({ ...transfer, fee })))

/**
 * The last number of rows after `count` further ones: above the one before, and not below the wall clock in
 * microseconds.
 */
export const nextSequence = (current: string, count: string): string =>
  `greatest(${current}, (extract(epoch from clock_timestamp()) * 1000000)::bigint - 1) + ${count}`

/**
 * The part of a statement that gives out numbers to rows without moving the cursor: the last one is `moved.sequence`.
 */
export const giveNumbers = (bind: Bind, { schema, network }: Tables, count: number): string =>
  `moved as (update ${quote(schema)}.cursor set sequence = ${nextSequence('sequence', String(count))}
    where network = ${bind(network)} returning sequence)`

/**
 * The parts of a statement that add rows in their order, and what they change in the balances. A row that is there
 * already stays: a node that repeats an old transaction changes nothing. Addresses are sent once each; those that have
 * no number yet get one, and a row without one would be refused. Their numbers are looked up one by one: without
 * statistics, a join may read all addresses. The arrays are unnested in the select list, in lockstep: in `from` the
 * server stores each one on the side first. A part `moved` before them has the number of the last row, or is empty, and
 * nothing is added.
 */
export function addRows(bind: Bind, { schema, network }: Tables, rows: readonly TransferRow[]): readonly string[] {
  const s = quote(schema)
  const places = new Map<string, number>()
  for (const { address } of rows) if (!places.has(address)) places.set(address, places.size + 1)
  const at = bind(arrayText(rows.map(({ address }) => String(places.get(address)))))
  const values = COLUMNS.map(([, type, field]) => {
    const array = bind(arrayText(rows.map(field)))
    return type === 'base64' ? `decode(unnest(${array}::text[]), 'base64')` : `unnest(${array}::${type}[])`
  })
  const [of, addresses] = [bind(network), bind([...places.keys()])]
  const last = '(select sequence from moved)'
  return [
    `known as (select address, at,
        (select id from ${s}.address as a where a.address = given.address and a.network = ${of}) as id
      from unnest(${addresses}::text[]) with ordinality as given (address, at))`,
    `numbered as (insert into ${s}.address (network, address)
      select ${of}, address from known where id is null and exists (select from moved) returning id, address)`,
    `numbers as (select array_agg(coalesce(known.id, numbered.id) order by known.at) as ids
      from known left join numbered on known.id is null and numbered.address = known.address)`,
    `inserted as (insert into ${s}.transfer_row (network_id, address_id, ${NAMES}, sequence)
      select (select id from ${s}.network where name = ${of}), (select ids from numbers)[unnest(${at}::integer[])],
        ${values.join(', ')}, generate_series(${last} - ${rows.length - 1}, ${last})
        where exists (select from moved)
      on conflict do nothing returning address_id, is_debit, amount)`,
    `changed as (insert into ${s}.balance_row as b (address_id, amount)
      select address_id, sum(case when is_debit then -amount else amount end) from inserted group by address_id
      on conflict (address_id) do update set amount = b.amount + excluded.amount)`,
  ]
}

/**
 * Deletes what was accepted above a blue score, and takes it out of the balances. Rows of addresses that no longer
 * count stay.
 */
export async function undoAbove(query: Query, schema: string, network: string, blueScore: bigint): Promise<void> {
  const s = quote(schema)
  await query(
    `with ${deleteRows(
      schema,
      `t.network_id = (select id from ${s}.network where name = $1) and t.accepting_blue_score > $2::text::bigint
          and not exists (select from ${s}.unwatched_address as u join ${s}.address as a using (network, address)
            where a.id = t.address_id and u.valid_until_blue_score is not null)`,
    )}, change as (
        select address_id, sum(case when is_debit then amount else -amount end) as amount from deleted group by address_id
      )
      update ${s}.balance_row as b set amount = b.amount + change.amount
      from change where b.address_id = change.address_id`,
    [network, String(blueScore)],
  )
  await query(
    `update ${s}.unwatched_address set valid_until_blue_score = $2::text::bigint
      where network = $1 and valid_until_blue_score > $2::text::bigint`,
    [network, String(blueScore)],
  )
}

/** The parts of a statement that delete rows and record them, newest first. `$1` is the network. */
const deleteRows = (schema: string, condition: string): string => {
  const s = quote(schema)
  return `deleted as (delete from ${s}.transfer_row as t where ${condition} returning t.*),
    moved as (update ${s}.cursor set sequence = ${nextSequence('sequence', '(select count(*) from deleted)')}
      where network = $1 and exists (select from deleted) returning sequence),
    undone as (insert into ${s}.transfer_undo
      (network, sequence, transfer_sequence, direction, outpoint_transaction_id, outpoint_index, address, amount)
      select a.network, m.sequence + 1 - row_number() over (order by d.sequence), d.sequence,
        case when d.is_debit then 'debit' else 'credit' end, ${s}.hash_text(d.outpoint_transaction_id), d.outpoint_index,
        a.address, d.amount
      from deleted as d join ${s}.address as a on a.id = d.address_id, moved as m)`
}

/** Deletes all rows of addresses, which begin again with opening credits. */
export async function clearAddresses(
  query: Query,
  schema: string,
  network: string,
  addresses: readonly string[],
): Promise<void> {
  const s = quote(schema)
  const ids = `(select id from ${s}.address where network = $1 and address = any($2::text[]))`
  await query(`with ${deleteRows(schema, `t.address_id in ${ids}`)} select 1`, [network, addresses])
  await query(`delete from ${s}.balance_row where address_id in ${ids}`, [network, addresses])
  await query(`delete from ${s}.unwatched_address where network = $1 and address = any($2::text[])`, [
    network,
    addresses,
  ])
}
