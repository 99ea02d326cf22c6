import type { PGlite } from '@electric-sql/pglite'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPglite } from '../../../src/feed/payments/run-payments.js'
import { PaymentCounters, readMetrics, paymentsToPrometheus } from '../../../src/feed/payments/metrics.js'
import { AlertRules, documentedRules } from '../support/alert-rules.js'

const TABLES = { schema: 'alerts', network: 'simnet' } as const

/** What rings by the rules of docs/payments.md, read from rows of the database. */
export function describeAlerts(open: () => PGlite): void {
  describe('the alarms of payments', () => {
    let run: ReturnType<typeof openPglite>['runner']['run']
    const sql = (text: string): Promise<unknown> => run((query) => query(text))

    beforeAll(() => {
      ;({ run } = openPglite(open(), TABLES.schema).runner)
    })
    beforeEach(async () => {
      await sql('delete from alerts.webhook_delivery')
      await sql('delete from alerts.payment_event')
      await sql('delete from alerts.payment_sequence')
      await sql(`insert into alerts.payment_sequence (network, sequence, followed_at) values ('simnet', 1, now())`)
    })

    /** At two scrapes, a minute apart: each rule has rung after its time. */
    async function ringing(counters = new PaymentCounters()): Promise<readonly string[]> {
      const text = paymentsToPrometheus(await run((query) => readMetrics(query, TABLES, counters)))
      const rules = new AlertRules(documentedRules('payments.md'))
      rules.evaluate([text], 0)
      return rules.evaluate([text], 60_000)
    }

    const event = (age: string, column: string): string => `with event as (
        insert into alerts.payment_event (network, sequence, request_id, version, type, state, at)
          values ('simnet', 1, 'order-1', 1, 'paid', '{}', now() - interval '${age}') returning network, request_id, version)
      insert into alerts.webhook_delivery (network, request_id, version, ${column})
        select network, request_id, version, now() from event`

    it('are silent while all is well', async () => {
      await sql(event('599 s', 'next_at'))
      const counters = new PaymentCounters()
      counters.lookedAt = Date.now()
      expect(await ringing(counters)).toEqual([])
    })

    it.each([
      ['PaymentsNotEvaluated', `update alerts.payment_sequence set followed_at = now() - interval '61 s'`],
      ['WebhooksDelayed', event('601 s', 'next_at')],
      ['WebhooksFailed', event('1 s', 'failed_at')],
    ])('%s', async (alert, change) => {
      await sql(change)
      expect(await ringing()).toEqual([alert])
    })

    it('PaymentsSeenLate', async () => {
      const counters = new PaymentCounters()
      counters.lookedAt = Date.now() - 11_000
      expect(await ringing(counters)).toEqual(['PaymentsSeenLate'])
    })
  })
}
