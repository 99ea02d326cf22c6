import { jetstreamManager } from '@nats-io/jetstream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContracts } from '../../../src/contracts/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { createContractFeed } from '../../../src/feed/contracts/create-contract-feed.js'
import { undone } from '../../../src/feed/contracts/jetstream-documents.js'
import { type FeedStatus, feedToPrometheus } from '../../../src/feed/status.js'
import { putRows, type ContractRow } from '../../../src/model/contracts/rows.js'
import { light } from '../../../src/sdk/light/light.js'
import { Counter } from '../../contract-calls/counter-rows.js'
import {
  callCounter,
  deployCounter,
  openContracts,
  type ContractsHarness,
  type CounterInstance,
} from '../../contracts/harness.js'
import { hasNats, startNats, type NatsServer } from '../support/nats-server.js'

it('undoes outputs that the UTXO set had from later blocks, where a stream is read again', () => {
  const row: ContractRow = {
    ...{ covenantId: 'ef', outpoint: { transactionId: '12', index: 0 }, value: 1n, state: null },
    ...{ scriptPublicKey: { version: 0, script: '51' }, isForeign: false, isGenesis: true, blockDaaScore: 50n },
    ...{ createdBy: null, spentBy: null },
  }
  const rows = putRows(new Map<never, ContractRow>(), [row])
  expect(undone(rows, null)).toBe(rows)
  expect(undone(rows, { hash: 'ab', blueScore: '10', daaScore: '50' }).size).toBe(1)
  expect(undone(rows, { hash: 'ab', blueScore: '9', daaScore: '49' }).size).toBe(0)
})

/** Outputs of contracts as documents: exactly once through restarts of feed, chain and server. */
describe.skipIf(!hasNats)('contracts on JetStream (nats-server 2.10 or later)', () => {
  let server: NatsServer
  let harness: ContractsHarness
  let connection: Awaited<ReturnType<NatsServer['connect']>>

  beforeEach(async () => {
    server = await startNats()
    connection = await server.connect()
    harness = await openContracts({ count: 10 })
  })

  afterEach(async () => {
    await harness.close()
    await server.stop()
  })

  function start(instance: CounterInstance, engine: ChainEngine = harness.engine) {
    const stopped = new AbortController()
    const instances = [{ contract: Counter, genesis: instance.genesis }]
    const feed = createContractFeed({
      engine,
      contracts: createContracts({ engine }),
      instances,
      stream: { connection, leaseTimeout: 1_000, timeout: 2_000 },
    })
    const statuses: FeedStatus[] = []
    feed.status$.subscribe((status) => statuses.push(status))
    const ended = feed.run({ signal: stopped.signal }).catch((error: unknown) => error)
    return {
      status: () => statuses.at(-1)!,
      statuses,
      ended,
      stop: async () => {
        stopped.abort()
        expect(await ended).toMatchObject({ code: 'aborted' })
      },
    }
  }

  interface Document {
    readonly type: string
    readonly batch: number
    readonly attempt: string
    readonly rollback?: { readonly blueScore: string } | null
    readonly outpoint?: { readonly transactionId: string; readonly index: number }
    readonly state?: { readonly count: string }
    readonly createdBy?: { readonly blueScore: string } | null
    readonly spentBy?: { readonly entry: string; readonly blueScore: string; readonly arguments: unknown } | null
  }

  /** All messages of the stream, in order, with their ids. */
  async function documents(): Promise<readonly (Document & { readonly id: string })[]> {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 1_000 }) // a restart drops requests
    const { state } = await manager.streams.info('contracts-simnet')
    const found = []
    for (let seq = 1; seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage('contracts-simnet', { seq })
      found.push({ ...message!.json<Document>(), id: message!.header.get('Nats-Msg-Id') })
    }
    return found
  }

  /** The counts of unspent outputs, as docs/contracts.md says how to apply the messages. */
  async function counts(): Promise<readonly string[]> {
    const rows = new Map<string, Document>()
    let open: Document[] = []
    for (const document of await documents().catch(() => [])) {
      if (document.type === 'begin') open = []
      open.push(document)
      if (document.type !== 'end') continue
      const above = open[0]?.rollback?.blueScore
      for (const [key, row] of above === undefined ? [] : rows)
        if (BigInt(row.createdBy?.blueScore ?? 0) > BigInt(above ?? 0)) rows.delete(key)
        else if (BigInt(row.spentBy?.blueScore ?? 0) > BigInt(above ?? 0)) rows.set(key, { ...row, spentBy: null })
      for (const row of open)
        if (row.outpoint !== undefined) rows.set(`${row.outpoint.transactionId} ${row.outpoint.index}`, row)
    }
    return [...rows.values()].filter(({ spentBy }) => spentBy === null).map(({ state }) => state!.count)
  }

  it('delivers states and calls, undoes a reorg that happened while it was stopped, and shows a node that is behind', async () => {
    const { devnode } = harness
    const instance = await deployCounter(harness)
    const first = start(instance)
    await expect.poll(counts).toEqual(['7'])
    const other = await devnode.fork()
    await callCounter(harness, instance, 3n)
    await expect.poll(counts).toEqual(['10'])
    const spent = (await documents()).find(({ spentBy }) => spentBy?.entry === 'increment')
    expect(spent).toMatchObject({ state: { count: '7' }, spentBy: { arguments: { step: '3' } } })
    expect(first.status()).toMatchObject({ phase: 'running', watched: 1, chain: 'following', failure: null })
    await first.stop()
    expect(first.status().phase).toBe('stopped')

    const away = createChainEngine({ ...other.engineOptions, sdk: light })
    await away.connection.connect()
    const second = start(instance, away)
    await expect.poll(() => second.status().chain).toBe('behind')
    expect(feedToPrometheus(second.status(), 'vue_chain_contracts')).toContain(
      'vue_chain_contracts_chain{state="behind"} 1\n',
    )
    await other.mine(12) // a branch without the call
    await expect.poll(counts).toEqual(['7'])
    await expect.poll(() => second.status()).toMatchObject({ chain: 'following', rollbacks: 1 })
    await second.stop()
    await away.dispose()
    await other.close()
  })

  it('delivers each change once while the server is killed, and stops where another program has written', async () => {
    const instance = await deployCounter(harness)
    const running = start(instance)
    await expect.poll(counts).toEqual(['7'])
    await server.restart()
    await callCounter(harness, instance, 1n)
    await expect.poll(counts).toEqual(['8'])
    await expect.poll(() => running.status()).toMatchObject({ phase: 'running', failure: null })
    expect(running.status().reconnects).toBeGreaterThan(0)
    const all = await documents()
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const ends = all.filter(({ type }) => type === 'end').map(({ batch }) => batch)
    expect(ends).toEqual(ends.map((_, index) => index + 1))
    await connection.request('contracts-simnet.other', 'of another program', { timeout: 10_000 })
    await callCounter(harness, instance, 1n)
    expect(await running.ended).toMatchObject({ code: 'taken-over' })
    expect(running.status().phase).toBe('stopped')
  })
})
