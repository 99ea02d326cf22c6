import type { Transfer, TransferTransaction } from '../../streams/transfers/transfer.js'
import { quote } from './schema.js'
import type { Query } from './sql-session.js'

interface Row extends Transfer {
  readonly fee: bigint | null
}

type Field = (row: Row) => string | null

/** The columns of `transfer` with their types, and how they are written. All are sent as arrays of text, which every driver encodes alike. */
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
  ['counterparties', 'text[]', ({ counterparties }) => `{${counterparties.join(',')}}`], // addresses need no quotes
]

/** Rows of one statement: arrays of this length take a few MB. */
const CHUNK = 10_000

/** Adds the transfers of transactions in their order, and what they change of balances. */
export async function insertTransfers(
  query: Query,
  schema: string,
  network: string,
  transactions: readonly TransferTransaction[],
): Promise<void> {
  const rows = transactions.flatMap(({ transfers, fee }) => transfers.map((transfer) => ({ ...transfer, fee })))
  for (let from = 0; from < rows.length; from += CHUNK)
    await insertRows(query, schema, network, rows.slice(from, from + CHUNK))
  await addToBalances(query, schema, network, rows)
}

async function insertRows(query: Query, schema: string, network: string, rows: readonly Row[]): Promise<void> {
  const names = COLUMNS.map(([name]) => name)
  const values = COLUMNS.map(([name, type]) => `r.${name}::${type}`)
  const arrays = COLUMNS.map((_, index) => `$${index + 2}::text[]`)
  await query(
    `insert into ${quote(schema)}.transfer (network, ${names.join(', ')})
      select $1, ${values.join(', ')}
      from unnest(${arrays.join(', ')}) with ordinality as r (${names.join(', ')}, ordinality)
      order by r.ordinality`,
    [network, ...COLUMNS.map(([, , field]) => rows.map(field))],
  )
}

async function addToBalances(query: Query, schema: string, network: string, rows: readonly Row[]): Promise<void> {
  const changes = new Map<string, bigint>()
  for (const { address, direction, amount } of rows)
    changes.set(address, (changes.get(address) ?? 0n) + (direction === 'credit' ? amount : -amount))
  if (changes.size === 0) return
  await query(
    `insert into ${quote(schema)}.balance as b (network, address, amount)
      select $1, r.address, r.amount::bigint from unnest($2::text[], $3::text[]) as r (address, amount)
      on conflict (network, address) do update set amount = b.amount + excluded.amount`,
    [network, [...changes.keys()], [...changes.values()].map(String)],
  )
}

/** Deletes what was accepted above a blue score, and takes it out of the balances. */
export async function undoAbove(query: Query, schema: string, network: string, blueScore: bigint): Promise<void> {
  await query(
    `with deleted as (
        delete from ${quote(schema)}.transfer where network = $1 and accepting_blue_score > $2::text::bigint
        returning address, direction, amount
      ), change as (
        select address, sum(case direction when 'credit' then -amount else amount end)::bigint as amount from deleted group by address
      )
      update ${quote(schema)}.balance as b set amount = b.amount + change.amount
      from change where b.network = $1 and b.address = change.address`,
    [network, String(blueScore)],
  )
}

/** Deletes all rows of addresses, which begin again with opening credits. */
export async function clearAddresses(
  query: Query,
  schema: string,
  network: string,
  addresses: readonly string[],
): Promise<void> {
  for (const table of ['transfer', 'balance'])
    await query(`delete from ${quote(schema)}.${table} where network = $1 and address = any($2::text[])`, [
      network,
      addresses,
    ])
}
