import { describe, expect, it } from 'vitest'
import { MIGRATIONS } from '../../../src/feed/postgres/schema.js'
import { encodeAddress } from '../../../src/model/address.js'
import { migrate } from '../../../src/sql/migrate.js'
import type { SqlSession } from '../../../src/sql/session.js'
import { addressOf } from '../support/steps.js'
import type { Sql } from '../support/tables.js'

/** The tables before rows were narrow. */
const WIDE = MIGRATIONS.slice(0, 5)

const hash = (byte: string): string => byte.repeat(32)
const ECDSA = encodeAddress('kaspatest', 'PubKeyECDSA', new Uint8Array(33).fill(7))
const MAINNET = addressOf(1, 'kaspa')

/** Rows of every kind that a feed writes. */
const ROWS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { direction: 'debit', transaction_id: hash('bb'), fee: 2_036, is_change: true, is_internal: true },
  { network: 'mainnet', address: MAINNET, counterparties: [addressOf(2, 'kaspa')] }, // the same outpoint
  { outpoint_index: 1, accepting_block_hash: null, accepted_at: null, is_opening: true, counterparties: [] },
  { outpoint_index: 2, covenant_id: hash('cc'), is_coinbase: true, address: ECDSA },
  { outpoint_index: 3, counterparties: [addressOf(3), ECDSA, addressOf(4)] },
  { outpoint_index: 4, counterparties: [ECDSA, addressOf(5)], amount: '2870000000000000000' },
  // a closing row
  { outpoint_transaction_id: addressOf(0), transaction_id: addressOf(0), accepting_block_hash: null, is_opening: true },
].map((row, index) => ({
  network: 'testnet-10',
  direction: 'credit',
  outpoint_transaction_id: hash('aa'),
  outpoint_index: 0,
  address: addressOf(0),
  amount: 5,
  transaction_id: hash('aa'),
  fee: null,
  accepting_block_hash: hash('dd'),
  accepting_blue_score: 300_000_000 + index,
  accepting_daa_score: 310_000_000,
  accepted_at: '2026-11-26T15:00:00.123Z',
  is_coinbase: false,
  is_opening: false,
  is_change: false,
  is_internal: false,
  counterparties: [addressOf(1)],
  sequence: 1_700_000_000_000_000 + index,
  covenant_id: null,
  ...row,
}))

const COLUMNS = Object.keys(ROWS[0]!).join(', ')

/** Tables of the version before, with rows. Resolves to what statements of programs see in them. */
export async function writeWideRows(sql: Sql, session: SqlSession, schema: string): Promise<() => Promise<unknown>> {
  await migrate(session, schema, WIDE)
  await sql(`insert into ${schema}.transfer (${COLUMNS})
    select ${COLUMNS} from json_populate_recordset(null::${schema}.transfer, '${JSON.stringify(ROWS)}')`)
  await sql(`insert into ${schema}.balance
    select network, address, sum(case direction when 'credit' then amount else -amount end) from ${schema}.transfer group by 1, 2
    union all select 'testnet-10', 'without rows', 0`)
  return async () => ({
    transfers: await sql(`select ${COLUMNS} from ${schema}.transfer order by sequence`),
    balances: await sql(`select network, address, amount from ${schema}.balance order by network, address`),
  })
}

/** What holds for every database. */
export function describeNarrowRows(name: string, database: () => { sql: Sql; open(): Promise<SqlSession> }): void {
  describe(name, () => {
    it('shows the rows of the version before as they were', async () => {
      const { sql, open } = database()
      const session = await open()
      const read = await writeWideRows(sql, session, 'narrow')
      const before = await read()
      await migrate(session, 'narrow', MIGRATIONS)
      expect(await read()).toEqual(before)
      expect(before).toMatchObject({ transfers: { length: ROWS.length }, balances: { length: 4 } })
      await session.close()
    })

    it('keeps views and readers of programs on balances', async () => {
      const { sql, open } = database()
      const session = await open()
      await migrate(session, 'bounded', MIGRATIONS.slice(0, 7))
      await sql("insert into bounded.address (network, address) values ('testnet-10', 'one')")
      await sql('insert into bounded.balance_row (address_id, amount) select id, 5 from bounded.address')
      await sql('create view bounded.own as select address, amount + 1 as more from bounded.balance')
      await sql('grant select on bounded.balance to public')
      await migrate(session, 'bounded', MIGRATIONS)
      await migrate(session, 'bounded', MIGRATIONS)
      expect(await sql('select address, more::text from bounded.own')).toEqual([{ address: 'one', more: '6' }])
      expect(
        await sql(
          "select pg_typeof(amount)::text as type, has_table_privilege('public', 'bounded.balance', 'select') as granted from bounded.balance",
        ),
      ).toEqual([{ type: 'bigint', granted: true }])
      await session.close()
    })
  })
}
