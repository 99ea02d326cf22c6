import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContracts } from '../../../src/contracts/index.js'
import { createContractFeed, type ContractFeedOptions } from '../../../src/feed/contracts/create-contract-feed.js'
import { toJson } from '../../../src/feed/contracts/output-rows.js'
import type { ContractRow } from '../../../src/model/contracts/rows.js'
import { Counter } from '../../contract-calls/counter-rows.js'
import { callCounter, deployCounter, openContracts, type ContractsHarness } from '../../contracts/harness.js'

/** Outputs of contracts in tables: through restarts, a reorg below the stored cursor, and a second process. */

/** A database under test. */
export interface ContractFeedDatabase {
  readonly database: ContractFeedOptions['database']
  readonly sql: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
}

interface Stored {
  readonly count: string | null
  readonly created_by: string | null
  readonly spent_by: string | null
  readonly entry: string | null
  readonly arguments: unknown
}

/** `subject`: the database, once it is open. */
export const describeContractFeed = (name: string, subject: () => ContractFeedDatabase): void => {
  describe(name, () => {
    let harness: ContractsHarness
    beforeAll(async () => {
      harness = await openContracts({ count: 10 })
    })
    afterAll(() => harness.close())

    const stored = async (schema: string): Promise<readonly Stored[]> =>
      (await subject()
        .sql(
          `select state->>'count' as count, created_by, spent_by, entry, arguments
        from ${schema}.contract_output order by created_blue_score nulls first`,
        )
        .catch(() => [])) as readonly Stored[] // no tables yet

    const counts = async (schema: string) =>
      (await stored(schema)).filter((row) => row.spent_by === null).map(({ count }) => count)

    /** A feed that runs until it is stopped. */
    function start(options: Omit<ContractFeedOptions, 'engine' | 'contracts' | 'database'>) {
      const { engine } = harness
      const stopped = new AbortController()
      const feed = createContractFeed({
        engine,
        contracts: createContracts({ engine }),
        database: subject().database,
        ...options,
      })
      const ended = feed.run({ signal: stopped.signal }).catch((error: unknown) => error)
      return {
        ended,
        stop: async () => {
          stopped.abort()
          expect(await ended).toMatchObject({ code: 'aborted' })
        },
      }
    }

    it('delivers states and calls, and goes on from the stored cursor after a restart and a reorg', async () => {
      const { devnode } = harness
      const instance = await deployCounter(harness)
      const instances = [{ contract: Counter, genesis: instance.genesis }]
      const first = start({ instances, schema: 'restarts' })
      await expect.poll(() => counts('restarts')).toEqual(['7'])
      const other = await devnode.fork()
      const id = await callCounter(harness, instance, 3n)
      await expect.poll(() => counts('restarts')).toEqual(['10'])
      expect(await stored('restarts')).toMatchObject([
        { count: '7', spent_by: id, entry: 'increment', arguments: { step: '3' } },
        { count: '10', created_by: id, spent_by: null },
      ])
      await first.stop()

      await callCounter(harness, instance, 1n)
      const second = start({ instances, schema: 'restarts' })
      await expect.poll(() => counts('restarts')).toEqual(['11'])
      await second.stop()

      await other.mine(12)
      await devnode.sync(other) // a branch without the calls
      const third = start({ instances, schema: 'restarts' })
      await expect.poll(() => counts('restarts')).toEqual(['7'])
      expect(await stored('restarts')).toMatchObject([{ count: '7', spent_by: null, entry: null, arguments: null }])
      await third.stop()
      await other.close()
    })

    it('refuses other contracts in one schema, and the batch of a process after which another one has delivered', async () => {
      const { devnode } = harness
      const [instance, other] = [await deployCounter(harness), await deployCounter(harness)]
      const instances = [{ contract: Counter, genesis: instance.genesis }]
      const first = start({ instances, schema: 'replaced_cursor' })
      await expect.poll(() => counts('replaced_cursor')).toEqual(['7'])
      await first.stop() // others would wait for it
      const foreign = start({ instances: [{ contract: Counter, genesis: other.genesis }], schema: 'replaced_cursor' })
      expect(await foreign.ended).toMatchObject({ code: 'invalid-argument', argument: 'instances' })
      const running = start({ instances, schema: 'replaced_cursor' })
      await callCounter(harness, instance, 1n)
      await expect.poll(() => counts('replaced_cursor')).toEqual(['8'])
      await subject().sql(`update replaced_cursor.cursor set value = 'another'`)
      await devnode.mine(2)
      expect(await running.ended).toMatchObject({ code: 'taken-over' })
    })

    it('says of what it does not know the beginning, for good', async () => {
      const instance = await deployCounter(harness)
      await callCounter(harness, instance, 1n)
      const instances = [{ contract: Counter, genesis: instance.genesis }]
      const incomplete = async (): Promise<unknown> =>
        (
          await subject()
            .sql('select incomplete from late.cursor')
            .catch(() => [])
        )[0]
      for (const _ of ['first', 'again']) {
        const feed = start({ instances, schema: 'late' })
        await harness.devnode.mine(1)
        await expect.poll(incomplete).toEqual({ incomplete: [instance.covenantId] })
        await feed.stop()
      }
    })

    it('stores the texts of calls that no database has', async () => {
      const spentBy = { ...{ transactionId: 'ab', blockHash: 'cd', blueScore: 7n, entry: 'post' } }
      const row: ContractRow = {
        ...{ covenantId: 'ef', outpoint: { transactionId: '12', index: 0 }, value: 1n, state: null },
        ...{ scriptPublicKey: { version: 0, script: '51' }, isForeign: false, isGenesis: true, blockDaaScore: 1n },
        ...{ createdBy: null, spentBy: { ...spentBy, arguments: { text: 'it\0s \ud800 text', step: 3n } } },
      }
      const [stored] = await subject().sql(
        `select r->'arguments' as arguments from jsonb_array_elements('${toJson([row], new Map())}'::jsonb) as r`,
      )
      expect(stored).toEqual({ arguments: { text: 'it\ufffds \ufffd text', step: '3' } })
    })

    it('refuses what it cannot follow or store', () => {
      const { engine, contracts } = harness
      const options = { engine, contracts, database: subject().database, instances: [] }
      expect(() => createContractFeed(options)).toThrow(expect.objectContaining({ argument: 'instances' }))
      const instances = [
        { contract: Counter, genesis: { outpoint: { transactionId: '11'.repeat(32), index: 0 }, outputs: [] } },
      ]
      expect(() => createContractFeed({ ...options, instances, schema: 'a"b' })).toThrow(
        expect.objectContaining({ argument: 'schema' }),
      )
    })
  })
}
