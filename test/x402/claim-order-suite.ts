import type pg from 'pg'
import { expect, it } from 'vitest'
import { createPoolAccess } from '../../src/sql/pool-access.js'
import type { Query } from '../../src/sql/session.js'
import { createSqlStore } from '../../src/x402/stores/sql-store.js'
import { paymentOf } from './support/payments.js'

/** Claims of several instances in PostgreSQL. */
export function claimOrderTests(open: () => pg.Pool): void {
  it('are numbered in the order in which they are committed, so that no instance misses one', async () => {
    const pool = open()
    const access = createPoolAccess(pool, 10_000)
    let commit: () => void = () => undefined
    const released = new Promise<void>((resolve) => (commit = resolve))
    let insert: () => void = () => undefined
    const inserted = new Promise<void>((resolve) => (insert = resolve))
    const slow = createSqlStore(
      {
        run: access.run,
        transaction: (work) =>
          access.transaction(async (query: Query) => {
            const result = await work(query)
            insert()
            await released
            return result
          }),
      },
      'claim_order',
    )
    const other = createSqlStore(access, 'claim_order')
    await other.after('kaspa:simnet', 0n) // makes the tables
    const [first, second] = [paymentOf('aa'), paymentOf('bb')]
    const claims = [slow.claim(first)]
    await inserted
    claims.push(other.claim(second))
    const isSettled = async (): Promise<boolean> => {
      const { rows } = await pool.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)
      return rows.length > 0 || (await other.find('kaspa:simnet', second.transactionId)) !== null
    }
    await expect.poll(isSettled).toBe(true)
    const seen = [...(await other.after('kaspa:simnet', 0n))]
    commit()
    await Promise.all(claims)
    seen.push(...(await other.after('kaspa:simnet', seen.at(-1)?.sequence ?? 0n)))
    expect(seen.map(({ payment }) => payment.transactionId).sort()).toEqual([first.transactionId, second.transactionId])
  })
}
