import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { createPayouts, type Payouts } from '../../src/payouts/create-payouts.js'
import { postgresJournal } from '../../src/payouts/stores/postgres-journal.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { runs } from '../full.js'
import { expectPaidOnceUnderKills, expectSettled, type KillOptions } from './support/kills.js'
import { KAS, openRecipients, startNode } from './support/queue.js'
import { openWorkers, type WorkerSettings } from './support/workers.js'
import type { Workers } from '../worker-processes.js'

const KILLS = Number(process.env.KILLS ?? runs(2, 1_000))
const SEED = Number(process.env.SEED ?? 41)
/** The outer limit of one kill, ms: on a busy machine a process starts in 5 s. */
const KILL_LIMIT = 100_000

describe.skipIf(!hasPostgres)('processes of a queue (apt-get install postgresql)', () => {
  let cluster: PostgresCluster
  let pool: pg.Pool
  let devnode: Devnode
  let recipients: Account
  let engine: ChainEngine
  let program: Workers<WorkerSettings>
  beforeAll(async () => {
    cluster = await startPostgres()
    pool = cluster.pool()
    recipients = await openRecipients()
    program = await openWorkers()
  })
  afterAll(async () => {
    await program.close()
    await cluster.stop()
  })
  beforeEach(async () => {
    devnode = await startNode(1_000_000n * KAS) // more than a thousand kills pay
    await devnode.mine(3)
    engine = createChainEngine({ network: 'simnet' })
  })
  afterEach(async () => {
    await program.kill()
    await engine.dispose()
    await devnode.close()
  })

  function optionsOf(schema: string, hasLease: boolean): Omit<KillOptions, 'start' | 'kills' | 'random'> {
    const { address, privateKeyHex } = devnode.accounts[0]!
    const journal = postgresJournal({ pool, schema })
    const payouts: Payouts = createPayouts({
      ...{ engine, journal, addresses: [address], privateKeys: [privateKeyHex], minConfirmations: 2 },
    })
    return {
      payouts,
      settings: {
        ...{ url: devnode.urls.borsh, port: cluster.port, schema, address, hasLease, confirmations: 2 },
        privateKey: privateKeyHex,
      },
      recipient: (id) => recipients.address(id),
      mine: () => devnode.mine().then(() => undefined),
      timesPaid: (addresses) => {
        const times = new Map(addresses.map((address) => [address, 0]))
        for (const { address = '' } of devnode.expected.transfers(addresses))
          times.set(address, (times.get(address) ?? 0) + 1)
        return Promise.resolve([...times.values()])
      },
    }
  }

  it('pay each payout once while they are killed at any statement', { timeout: KILL_LIMIT * KILLS }, () =>
    expectPaidOnceUnderKills({
      ...optionsOf('kills', true),
      start: program.start,
      kills: KILLS,
      random: createRandom(SEED),
    }),
  )

  it.each([true, false])(
    'pay each payout once where one is stopped for longer than its lease (%s)',
    async (hasLease) => {
      const { start } = program
      const options = optionsOf(`stopped_${hasLease}`, hasLease)
      const { payouts, settings, recipient, mine } = options
      let next = 0
      const pay = () => payouts.pay(String(next), { address: recipient(next++), amount: KAS })
      const settled = async (count: number) =>
        expect
          .poll(async () => {
            await mine()
            return (await payouts.metrics()).states.settled
          })
          .toBe(count)
      await pay()
      const workers = [start(settings), start(settings)]
      await settled(1)
      for (let round = 0; round < runs(1, 20); round++)
        for (const worker of workers) {
          await Promise.all([pay(), pay()])
          worker.signal('SIGSTOP')
          await settled(next) // by the other one, once it has the lease
          await pay()
          worker.signal('SIGCONT')
        }
      await expectSettled({ ...options, count: next })
    },
  )
})
