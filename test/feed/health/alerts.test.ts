import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { followReports, type FeedReports, toFeedMetrics, serveStatus } from '../../../src/cli/feed/status-server.js'
import type { HttpServer } from '../../../src/cli/run-service.js'
import { createMemoryDevnode, type MemoryDevnode } from '../../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { createFeedOn } from '../../../src/feed/create-feed.js'
import type { FeedEngine } from '../../../src/feed/options.js'
import type { ChainLogger } from '../../../src/platform/port.js'
import { createTestPlatform, ready } from '../../../src/testing/platform.js'
import { ALICE } from '../../streams/utxos/utxo-fixtures.js'
import { chainOf, chainResponders, blockAt } from '../../hostile/hostile-chain.js'
import { startWireNode } from '../../wire-node.js'
import { SteppedClock } from '../../streams/chain/stepped-clock.js'
import { AlertRules, documentedRules } from '../support/alert-rules.js'
import { FaultySink, LEASE_TIMEOUT } from '../support/faulty-sink.js'

// loaded on demand otherwise, while virtual time goes on
import '../../../src/streams/chain/follow-chain.js'
import '../../../src/streams/transfers/follow-transfers.js'
import '../../../src/streams/transfers/watched-addresses.js'

/** How often rules are evaluated, in ms. */
const SCRAPE = 5_000
/** How long after its time a cause may take until it is shown, in ms. */
const DELAY = 15_000

let clock: SteppedClock
let sink: FaultySink
let reports: FeedReports
let server: HttpServer | undefined
let stopped: AbortController
let done: Promise<unknown>
let lines: { readonly message: string; readonly fields: object | undefined; readonly at: number }[]
let ends: (() => Promise<unknown>)[]

beforeEach(async () => {
  await ready()
  clock = new SteppedClock()
  sink = new FaultySink(clock)
  stopped = new AbortController()
  lines = []
  ends = []
})

afterEach(async () => {
  stopped.abort()
  for (const end of ends) await end()
  reports.end()
  await server?.close()
  server = undefined
})

/** Runs a feed by the virtual clock, as the command does. */
async function start(engine: FeedEngine, address: string): Promise<void> {
  const write = (message: string, fields?: object): void => void lines.push({ message, fields, at: clock.now() })
  const logger: ChainLogger = { debug: () => undefined, info: write, warn: write, error: write }
  const feed = createFeedOn({ engine, sink, watch: [address], minConfirmations: 0 }, clock)
  reports = followReports(feed, { engine, leaseTimeout: LEASE_TIMEOUT }, logger, clock)
  server = await serveStatus({ host: '127.0.0.1', port: 0 }, reports.current, () => '')
  done = feed.run({ signal: stopped.signal }).catch((error: unknown) => error)
  ends.push(async () => {
    await clock.advance(5_000) // a pause ends
    await done
  })
}

async function get(path: string) {
  const response = await fetch(`${server?.url}${path}`)
  return { code: response.status, text: await response.text() }
}

const codes = async () => [(await get('/healthz')).code, (await get('/readyz')).code]

/**
 * Evaluates the documented rules at each scrape, until a cause is shown; resolves to when it was, and to the alerts
 * that rang, in ms.
 */
async function observe(ms: number, each: () => Promise<unknown> = () => Promise.resolve()) {
  const rules = new AlertRules(documentedRules())
  const rang = new Map<string, number>()
  let unreadyAt: number | undefined
  let deadAt: number | undefined
  for (let at = 0; at < ms; at += SCRAPE) {
    await each()
    await clock.advance(SCRAPE)
    const { isReady, isAlive } = reports.current().health
    if (!isReady) unreadyAt ??= at + SCRAPE
    if (!isAlive) deadAt ??= at + SCRAPE
    for (const alert of rules.evaluate([toFeedMetrics(reports.current())], at))
      if (!rang.has(alert)) rang.set(alert, at)
  }
  return { unreadyAt, deadAt, rang: [...rang.keys()] }
}

describe('on a simulated network', () => {
  let nodes: readonly [MemoryDevnode, MemoryDevnode]
  let engine: ChainEngine

  beforeEach(async () => {
    const platform = createTestPlatform({ scheduler: clock, random: () => 0.5 })
    platform.shiftClock(1_700_000_000_000)
    const node = createMemoryDevnode({ platform, blockInterval: 0, accounts: 1 })
    await node.mine(10)
    nodes = [node, await node.fork()]
    engine = createChainEngine({
      network: 'simnet',
      resolver: false,
      urls: nodes.map(({ urls }) => urls.borsh),
      heartbeat: false,
      reconnect: { maxRetries: Infinity },
      ports: node.engineOptions.ports,
    })
    await start(engine, node.accounts[0]!.address)
    for (let turn = 0; turn < 100 && reports.current().status.blueScore === null; turn++) {
      await mine()
      await clock.advance(100)
    }
    ends.push(async () => {
      await engine.dispose()
      for (const one of nodes) await one.close()
    })
  })

  const mine = () => nodes[0].mine()

  it('rings no alert while it delivers, and writes one line', async () => {
    expect(await observe(180_000, mine)).toEqual({ unreadyAt: undefined, deadAt: undefined, rang: [] })
    expect(await codes()).toEqual([200, 200])
    expect(JSON.parse((await get('/readyz')).text)).toMatchObject({ role: 'active', causes: [], phase: 'running' })
    expect(lines.map(({ message }) => message)).toEqual(['The feed connects', 'The feed delivers'])
  })

  it('rings no alert where it stands by', async () => {
    sink.fail('held')
    await clock.advance(DELAY)
    const other = '# TYPE vue_chain_feed_delivering gauge\nvue_chain_feed_delivering 1\n'
    const rules = new AlertRules(documentedRules())
    for (let at = 0; at < 180_000; at += SCRAPE) {
      await clock.advance(SCRAPE)
      expect(rules.evaluate([other, toFeedMetrics(reports.current())], at)).toEqual([])
    }
    expect(await codes()).toEqual([200, 200])
    expect(JSON.parse((await get('/readyz')).text)).toMatchObject({ role: 'standby', phase: 'stand-by', causes: [] })
  })

  it.each([
    ['no-node', 30_000, async () => Promise.all(nodes.map((node) => node.close())), undefined],
    ['chain-stalled', 60_000, undefined, undefined],
    ['position-stalled', 60_000, () => sink.fail('full'), mine],
    ['no-lease', 30_000, () => sink.fail('unreachable'), mine],
    ['node-behind', 30_000, () => nodes[0].close(), undefined],
  ] as const)('rings for %s, once it has lasted %i ms', async (cause, lasts, provoke, each) => {
    if (cause === 'node-behind') for (let block = 0; block < 20; block++) await mine()
    await clock.advance(2_000) // the position is stored
    await provoke?.()
    const { unreadyAt, deadAt, rang } = await observe(lasts + 240_000, each)
    expect(unreadyAt).toBeGreaterThanOrEqual(lasts - SCRAPE)
    expect(unreadyAt).toBeLessThanOrEqual(lasts + DELAY)
    expect(deadAt).toBeUndefined()
    expect(rang).toContain(`FeedNotReady{cause="${cause}"}`)
    expect(rang).toContain('NoFeedDelivers')
    expect(await codes()).toEqual([200, 503])
    expect(JSON.parse((await get('/readyz')).text).causes).toContain(cause)
  })

  it('measures lag from the stored position while sessions begin and end, and rings for it', async () => {
    const before = Number(reports.current().status.blueScore)
    sink.fail('full')
    const { rang } = await observe(240_000, mine)
    expect(sink.sessions).toBeGreaterThan(10)
    expect(rang).toContain('FeedIsBehind')
    const { lagBlocks, blueScore, failure } = reports.current().status
    expect([Number(lagBlocks), Number(blueScore)]).toEqual([240_000 / SCRAPE, before])
    expect(failure).toBe('could not extend file: No space left on device')
    sink.fault = 'none'
    await observe(30_000, mine)
    expect(reports.current().status).toMatchObject({ lagBlocks: 0n, failure: null })
    expect(await codes()).toEqual([200, 200])
  })

  it('writes a change of state as one line, and one a minute while it lasts', async () => {
    lines.length = 0
    sink.fail('unreachable')
    await observe(30_000 + 180_000, mine)
    sink.fault = 'none'
    await observe(30_000, mine)
    expect(lines.map(({ message, fields }) => [message, fields])).toMatchObject([
      [
        'The feed does not deliver',
        { role: 'none', causes: ['no-lease'], minutes: 0, failure: 'connect ECONNREFUSED' },
      ],
      ['The feed does not deliver', { causes: ['no-lease', 'position-stalled'], minutes: 0 }],
      ['The feed does not deliver', { causes: ['no-lease', 'position-stalled'], minutes: 1 }],
      ['The feed does not deliver', { causes: ['no-lease', 'position-stalled'], minutes: 2 }],
      // until the first batch
      ['The feed does not deliver', { role: 'active', causes: ['position-stalled'], minutes: 0 }],
      ['The feed delivers', { role: 'active' }],
    ])
  })

  it('is dead where no heartbeat has begun for three times the lease', async () => {
    sink.fail('silent')
    const { unreadyAt, deadAt, rang } = await observe(120_000, mine)
    expect(unreadyAt).toBeLessThanOrEqual(3 * LEASE_TIMEOUT)
    expect(deadAt).toBeGreaterThanOrEqual(3 * LEASE_TIMEOUT - SCRAPE)
    expect(deadAt).toBeLessThanOrEqual(3 * LEASE_TIMEOUT + DELAY)
    expect(rang).toContain('FeedNotReady{cause="no-heartbeat"}')
    expect(await codes()).toEqual([503, 503])
  })

  it('is dead where the run has ended, as with a wrong stream; the rules ring without metrics too', async () => {
    sink.fail('wrong')
    await clock.advance(5_000)
    expect(await done).toMatchObject({ code: 'unsupported' })
    expect(await codes()).toEqual([503, 503])
    expect(JSON.parse((await get('/readyz')).text)).toMatchObject({ causes: ['stopped'], role: 'none' })
    const { rang } = await observe(120_000)
    expect(rang).toEqual(['FeedNotReady{cause="stopped"}', 'NoFeedDelivers'])
    const rules = new AlertRules(documentedRules())
    rules.evaluate([], 0)
    expect(rules.evaluate([], 60_000)).toEqual(['NoFeedDelivers'])
  })
})

it('rings for malformed responses', async () => {
  const blocks = chainOf(10)
  const node = await startWireNode(
    'Borsh',
    chainResponders(() => blocks),
  )
  const reconnect = { baseDelay: 1, maxRetries: Infinity }
  const engine = createChainEngine({ network: 'simnet', resolver: false, url: node.url(), reconnect })
  await start(engine, ALICE)
  ends.push(async () => {
    await engine.dispose()
    await node.close()
  })
  await expect.poll(() => reports.current().status.blueScore).not.toBeNull()
  blocks.push(blockAt(11, { blueScore: 2n ** 64n - 1n }))
  const added = [blocks.at(-1)!.hash]
  const data = { removedChainBlockHashes: [], addedChainBlockHashes: added, acceptedTransactionIds: [] }
  node.notify({ type: 'virtual-chain-changed', data })
  await expect.poll(() => reports.current().status.chain).toBe('malformed')
  const { unreadyAt, rang } = await observe(120_000)
  expect(unreadyAt).toBeLessThanOrEqual(30_000 + DELAY)
  expect(rang).toContain('FeedNotReady{cause="malformed"}')
  expect(await codes()).toEqual([200, 503])
})
