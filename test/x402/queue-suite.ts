import { describe, expect, it } from 'vitest'
import type { Steps } from '../../src/loading/steps.js'
import { createVerificationQueue } from '../../src/x402/server/verification-queue.js'
import { present } from './support/desk.js'
import { openMarket } from './support/market.js'
import { REQUEST, signedPayment, TERMS } from './support/signed-payment.js'

export function queueTests(): void {
  /** Work of one step that is longer than a slice. */
  function* long<Result>(result: Result): Steps<Result> {
    const end = performance.now() + 9
    while (performance.now() < end);
    yield
    return result
  }

  describe('createVerificationQueue', () => {
    it('runs other tasks between the payments of one burst, in their order', async () => {
      const { run } = createVerificationQueue(10)
      const log: (string | undefined)[] = []
      let tasks = 0
      const count = () => {
        tasks++
        immediate = setImmediate(count)
      }
      let immediate = setImmediate(count)
      const seen: number[] = []
      const burst = ['a', 'b', 'c', 'd'].map(async (name) => {
        log.push(await run(long(name)))
        seen.push(tasks)
      })
      expect([log, tasks]).toEqual([[], 0]) // nothing runs within the calls
      await Promise.all(burst)
      clearImmediate(immediate)
      expect(log).toEqual(['a', 'b', 'c', 'd'])
      expect([...new Set(seen)]).toEqual(seen)
    })

    it('takes no more than may wait, until one has ended', async () => {
      const { run } = createVerificationQueue(2)
      expect(await Promise.all([1, 2, 3].map((number) => run(long(number))))).toEqual([1, 2, undefined])
      expect(await run(long(4))).toBe(4)
    })

    it('rejects as the steps throw, and goes on', async () => {
      const { run } = createVerificationQueue(2)
      const failing = run(
        (function* (): Steps<number> {
          yield
          throw new Error('Not verified')
        })(),
      )
      const next = run(long(1))
      await expect(failing).rejects.toThrow('Not verified')
      expect(await next).toBe(1)
    })
  })

  it('responds with 503 to what would wait too long, and refuses it when it is presented again', async () => {
    const market = await openMarket()
    const x402 = await market.facilitator(undefined, { maxVerifications: 1 })
    const hostile = signedPayment({ bindingKey: '09'.repeat(32) })
    const call = () => present(x402, hostile, TERMS, { url: REQUEST.url })
    const [first, second] = await Promise.all([call(), call()])
    expect([first.reason, second.status, second.reason]).toEqual(['payer_mismatch', 503, 'settlement_pending'])
    expect(await call()).toMatchObject({ status: 402, reason: 'payer_mismatch' })
    await market.end()
  })
}
