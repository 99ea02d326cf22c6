import { setTimeout } from 'node:timers/promises'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/light/index.js'
import { createAttemptStore } from '../../src/x402/client/attempts.js'
import { createKaspaClient } from '../../src/x402/client/kaspa-client.js'
import { kasSpendControls } from '../../src/x402/binding/offer.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { freePort } from '../free-port.js'
import { FULL } from '../full.js'
import { withWorkers } from '../worker-processes.js'
import { KAS, PRICE } from './support/market.js'
import type { PaidServerSettings } from './support/worker.js'

const KILLS = Number(process.env.KILLS ?? 100)
const SEED = Number(process.env.SEED ?? 45)
/** The outer limit of one kill, ms: on a busy machine two processes start in 10 s. */
const KILL_LIMIT = 100_000
/** Statements of a server from its start until it has served one request, about. */
const STATEMENTS = 40

describe.runIf(FULL && hasPostgres)('a server that is killed at any statement of its store', () => {
  let cluster: PostgresCluster
  let pool: pg.Pool
  let devnode: Devnode
  let engine: ChainEngine
  beforeAll(async () => {
    cluster = await startPostgres()
    pool = cluster.pool()
    await pool.query('CREATE TABLE reports (id bigserial PRIMARY KEY)')
  })
  afterAll(() => cluster.stop())
  beforeEach(async () => {
    devnode = await createDevnode({ blockInterval: 50, accounts: 2, balance: 100_000n * KAS })
    engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, sdk: light })
    await Promise.all([engine.connection.connect(), engine.wasm.init()])
  })
  afterEach(async () => {
    await engine.dispose()
    await devnode.close()
  })

  /** An agent of the upstream package: it presents the identical payment while no response comes. */
  function agent(privateKey: string): typeof fetch {
    const kaspa = createKaspaClient({ engine, privateKey, store: createAttemptStore(), maxPerDay: 1_000_000n * KAS })
    const controls = kasSpendControls({ network: 'simnet', maxAmountPerPayment: PRICE })
    const client = new x402Client().setSpendControls(controls).register('kaspa:simnet', kaspa)
    const pay = wrapFetchWithPayment(kaspa.fetch(), client)
    return async function untilResponse(...request): Promise<Response> {
      for (;;)
        try {
          return await pay(...request)
        } catch (error) {
          if (!(error instanceof TypeError)) throw error // no response to the request without a payment
          await setTimeout(100)
        }
    }
  }

  const reports = async (): Promise<number> =>
    Number((await pool.query<{ count: string }>('SELECT count(*) FROM reports')).rows[0]?.count)

  it('charges each request once and runs its handler once at most', { timeout: KILL_LIMIT * KILLS }, () =>
    withWorkers<PaidServerSettings>('test/x402/support/worker.ts', async (start) => {
      const random = createRandom(SEED)
      const [buyer, seller] = devnode.accounts
      const pay = agent(buyer!.privateKeyHex)
      const settings = {
        ...{ url: devnode.urls.borsh, postgres: cluster.port, port: await freePort(), payTo: seller!.address },
      }
      const charged = (): number =>
        devnode.expected.transfers([seller!.address]).filter(({ amount }) => amount === PRICE).length
      let served = 0
      let interrupted = 0
      let killed = 0
      for (let kill = 0; kill < KILLS; kill++) {
        const killAt = 1 + Math.floor(random() * STATEMENTS)
        let server = start({ ...settings, killAt, killsAfter: random() < 0.5 })
        let hasResponse = false
        const payment = pay(`http://127.0.0.1:${settings.port}/report?${kill}`)
        void payment.finally(() => (hasResponse = true)).catch(() => undefined)
        await expect
          .poll(() => {
            if (!hasResponse && server.hasEnded()) {
              killed++
              server = start(settings)
            }
            return hasResponse
          })
          .toBe(true)
        const response = await payment
        if (response.status === 200) served++
        else {
          const { errorReason } = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
          expect([response.status, errorReason]).toEqual([402, 'recovery_required'])
          interrupted++
        }
        server.signal('SIGKILL')
        await expect.poll(server.hasEnded).toBe(true)
        expect(charged()).toBe(kill + 1)
      }
      expect(killed).toBeGreaterThan(0)
      const calls = await reports()
      expect(calls).toBeGreaterThanOrEqual(served)
      expect(calls).toBeLessThanOrEqual(served + interrupted)
    }),
  )
})
