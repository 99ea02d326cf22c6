import type { Transfer, TransferTransaction } from '../../streams/transfers/transfer.js'
import { quote } from '../../sql/quote.js'
import type { Query } from '../../sql/session.js'
import { arrayText, type Bind } from '../../sql/statement.js'

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

/** The columns of `transfer` with their types, and how they are written as elements of an array. */
const COLUMNS: readonly (readonly [name: string, type: string, field: Field])[] = [
  ['direction', 'text', ({ direction }) => direction],
  ['outpoint_transaction_id', 'text', ({ outpoint }) => outpoint.transactionId],
  ['outpoint_index', 'bigint', ({ outpoint }) => String(outpoint.index)],
  ['address', 'text', ({ address }) => address],
  ['amount', 'bigint', ({ amount }) => String(amount)],
  ['transaction_id', 'text', ({ transactionId }) => transactionId],
  ['fee', 'bigint', ({ fee }) => (fee === null ? null : String(fee))],
  ['accepting_block_hash', 'text', ({ acceptingBlockHash }) => acceptingBlockHash],
  ['accepting_blue_score', 'bigint', ({ acceptingBlueScore }) => String(acceptingBlueScore)],
  ['accepting_daa_score', 'bigint', ({ acceptingDaaScore }) => String(acceptingDaaScore)],
  ['accepted_at', 'timestamptz', ({ timestamp }) => (timestamp === null ? null : new Date(timestamp).toISOString())],
  ['is_coinbase', 'boolean', ({ isCoinbase }) => String(isCoinbase)],
  ['is_opening', 'boolean', ({ isOpening }) => String(isOpening)],
  ['is_change', 'boolean', ({ isChange }) => String(isChange)],
  ['is_internal', 'boolean', ({ isInternal }) => String(isInternal)],
  ['covenant_id', 'text', ({ covenantId }) => covenantId ?? null],
  // an array as an element of an array
  ['counterparties', 'text[]', ({ counterparties }) => `"{${counterparties.join(',')}}"`],
]

const NAMES = /*#__PURE__*/ COLUMNS.map(([name]) => name).join(', ')

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
 * already stays: a node that repeats an old transaction changes nothing. The arrays are unnested in the select list, in
 * lockstep: in `from` the server stores each one on the side first. A part `moved` before them has the number of the
 * last row, or is empty, and nothing is added.
 */
export function addRows(bind: Bind, { schema, network }: Tables, rows: readonly TransferRow[]): readonly string[] {
  const values = COLUMNS.map(([, type, field]) => {
    const array = bind(arrayText(rows.map(field)))
    return type === 'text[]' ? `unnest(${array}::text[])::text[]` : `unnest(${array}::${type}[])`
  })
  const of = bind(network)
  const last = '(select sequence from moved)'
  return [
    `inserted as (insert into ${quote(schema)}.transfer (network, ${NAMES}, sequence)
      select ${of}, ${values.join(', ')}, generate_series(${last} - ${rows.length - 1}, ${last})
        where exists (select from moved)
      on conflict do nothing returning address, direction, amount)`,
    `changed as (insert into ${quote(schema)}.balance as b (network, address, amount)
      select ${of}, address, sum(case direction when 'credit' then amount else -amount end)::bigint
        from inserted group by address
      on conflict (network, address) do update set amount = b.amount + excluded.amount)`,
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
      `t.network = $1 and t.accepting_blue_score > $2::text::bigint
          and not exists (select from ${s}.unwatched_address as u
            where u.network = t.network and u.address = t.address and u.valid_until_blue_score is not null)`,
    )}, change as (
        select address, sum(case direction when 'credit' then -amount else amount end)::bigint as amount from deleted group by address
      )
      update ${s}.balance as b set amount = b.amount + change.amount
      from change where b.network = $1 and b.address = change.address`,
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
  return `deleted as (delete from ${s}.transfer as t where ${condition} returning t.*),
    moved as (update ${s}.cursor set sequence = ${nextSequence('sequence', '(select count(*) from deleted)')}
      where network = $1 and exists (select from deleted) returning sequence),
    undone as (insert into ${s}.transfer_undo
      (network, sequence, transfer_sequence, direction, outpoint_transaction_id, outpoint_index, address, amount)
      select d.network, m.sequence + 1 - row_number() over (order by d.sequence), d.sequence, d.direction,
        d.outpoint_transaction_id, d.outpoint_index, d.address, d.amount from deleted as d, moved as m)`
}

/** Deletes all rows of addresses, which begin again with opening credits. */
export async function clearAddresses(
  query: Query,
  schema: string,
  network: string,
  addresses: readonly string[],
): Promise<void> {
  await query(`with ${deleteRows(schema, 't.network = $1 and t.address = any($2::text[])')} select 1`, [
    network,
    addresses,
  ])
  for (const table of ['balance', 'unwatched_address'])
    await query(`delete from ${quote(schema)}.${table} where network = $1 and address = any($2::text[])`, [
      network,
      addresses,
    ])
}
