import { expect, it } from 'vitest'
import type { SqlJournal } from '../../src/payouts/stores/sql-journal.js'

/** Each call of `open` opens a journal of another process on the same tables. */
export function signedAmountsTests(open: () => SqlJournal): void {
  const entry = (digits: string, amount: bigint) => ({
    outpoint: { transactionId: digits.padEnd(64, '0'), index: 1 },
    amount,
  })
  const conflict = (digits: string) => ({
    code: 'amount-conflict',
    details: expect.stringContaining(`${digits.padEnd(64, '0')}:1 was signed before with another amount`) as string,
  })

  it('are compared by every process, after a restart too', async () => {
    await open().signedAmounts.record([entry('a1', 5n), entry('a2', 2n ** 63n - 1n)])
    await open().signedAmounts.record([entry('a2', 2n ** 63n - 1n), entry('a1', 5n)])
    await expect(open().signedAmounts.record([entry('a1', 6n)])).rejects.toMatchObject(conflict('a1'))
  })

  it('are kept all or none', async () => {
    await open().signedAmounts.record([entry('b1', 5n)])
    const refused = open().signedAmounts.record([entry('b0', 1n), entry('b1', 6n), entry('b2', 1n)])
    await expect(refused).rejects.toMatchObject(conflict('b1'))
    await open().signedAmounts.record([entry('b0', 2n), entry('b2', 2n)])
  })

  it('are those of one of many processes that record at once', async () => {
    const [first, second] = [open(), open()]
    const records = Array.from({ length: 20 }, async (_, at) => {
      const process = at % 2 === 0 ? first : second
      await process.signedAmounts.record([entry('c1', BigInt(at % 2)), entry('c2', BigInt(at % 2))])
      return at % 2
    })
    const kept = (await Promise.allSettled(records)).flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    expect(kept).toHaveLength(10)
    expect(new Set(kept).size).toBe(1)
  })

  it('are refused where one output has two', async () => {
    const twice = open().signedAmounts.record([entry('d1', 1n), entry('d1', 2n)])
    await expect(twice).rejects.toMatchObject(conflict('d1'))
    await open().signedAmounts.record([entry('d1', 3n), entry('d1', 3n)])
  })
}
