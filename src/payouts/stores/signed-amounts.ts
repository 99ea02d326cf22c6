import { cryptoError } from '../../operations/keys/crypto-failure.js'
import type { SignedAmountsRecord } from '../../operations/transactions/sign/signed-amounts.js'
import { toOutpointKey } from '../../model/utxo.js'
import { quote } from '../../sql/quote.js'
import { runStatement } from '../../sql/statement.js'
import { textOf } from '../../sql/session.js'
import type { SqlRunner } from './sql-access.js'

/**
 * The amounts of outputs that were signed, for all processes with the same keys. A row that is there stays: two
 * processes that insert one output wait for each other, and the second one compares.
 */
export const sqlSignedAmounts = (runner: SqlRunner, schema: string): SignedAmountsRecord => ({
  async record(entries) {
    const amounts = new Map<string, string>(
      entries.map(({ outpoint, amount }) => [toOutpointKey(outpoint), String(amount)]),
    )
    for (const { outpoint, amount } of entries)
      if (amounts.get(toOutpointKey(outpoint)) !== String(amount)) throw conflict(toOutpointKey(outpoint))
    const keys = [...amounts.keys()].sort() // in one order: two processes do not wait for each other
    await runner.transaction(async (query) => {
      const rows = await runStatement(
        query,
        (bind) => `insert into ${quote(schema)}.payout_signed_amount as known (outpoint, amount)
          select outpoint, amount::bigint
            from unnest(${bind(keys)}::text[], ${bind(keys.map((key) => amounts.get(key) ?? ''))}::text[])
              with ordinality as given (outpoint, amount, at)
            order by at
          on conflict (outpoint) do update set amount = known.amount
          returning outpoint, amount::text as amount`,
      )
      const other = rows.find((row) => textOf(row, 'amount') !== amounts.get(textOf(row, 'outpoint')))
      if (other !== undefined) throw conflict(textOf(other, 'outpoint')) // nothing is committed
    })
  },
})

const conflict = (outpoint: string) =>
  cryptoError('sign', {
    code: 'amount-conflict',
    argument: 'entries',
    reason: `The output ${outpoint} was signed before with another amount`,
    hint: 'A node reported a wrong amount: read the entries again from another node.',
  })
