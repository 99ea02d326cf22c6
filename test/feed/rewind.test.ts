import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMemoryDevnode, type MemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { createFeed } from '../../src/feed/create-feed.js'
import type { FeedOptions } from '../../src/feed/options.js'
import type { FeedStatus } from '../../src/feed/status.js'
import type { ChainLogger } from '../../src/platform/port.js'
import { createTestPlatform, ready } from '../../src/testing/platform.js'
import { SteppedClock } from '../streams/chain/stepped-clock.js'
import { RowSink } from './support/row-sink.js'

// loaded on demand otherwise, while virtual time goes on
import '../../src/streams/chain/follow-chain.js'
import '../../src/streams/transfers/follow-transfers.js'
import '../../src/streams/transfers/watched-addresses.js'

/** Three nodes of one network under virtual time; the first may mine blocks that the others never get. */
let clock: SteppedClock
let nodes: readonly [MemoryDevnode, MemoryDevnode, MemoryDevnode]
let engine: ChainEngine
let sink: RowSink
const warnings: unknown[] = []
const ignore = (): void => undefined
const logger: ChainLogger = { debug: ignore, info: ignore, error: ignore, warn: (...line) => void warnings.push(line) }

beforeEach(async () => {
  await ready()
  clock = new SteppedClock()
  const platform = createTestPlatform({ scheduler: clock, random: () => 0.5 })
  platform.shiftClock(1_700_000_000_000) // later than genesis, so that blocks have the time at which they are mined
  const first = createMemoryDevnode({ platform, blockInterval: 0, accounts: 1 })
  await first.mine(10)
  nodes = [first, await first.fork(), await first.fork()]
  engine = createChainEngine({
    network: 'simnet',
    resolver: false,
    urls: nodes.map(({ urls }) => urls.borsh),
    heartbeat: false,
    reconnect: { maxRetries: Infinity },
    ports: first.engineOptions.ports,
  })
  sink = new RowSink()
  warnings.length = 0
})

afterEach(async () => {
  await engine.dispose()
  for (const node of nodes) await node.close()
})

const address = (): string => nodes[0].accounts[0]!.address
const chainOf = (node: MemoryDevnode): readonly string[] => node.expected.chain()
const blueScore = (node: MemoryDevnode): number => chainOf(node).length - 1 // each chain block merges its parent alone

/** A payment in each of `count` chain blocks. */
async function pay(node: MemoryDevnode, count: number): Promise<void> {
  for (let paid = 0; paid < count; paid++) await node.fund(address(), 100_000_000n)
}

/** Runs a feed until its status is as expected, or it fails. `during` begins once the address counts. */
async function run(
  more: Pick<FeedOptions, 'rewindTo'>,
  until: (status: FeedStatus) => boolean,
  during: () => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly statuses: readonly FeedStatus[]; readonly error: unknown }> {
  const stopped = new AbortController()
  const statuses: FeedStatus[] = []
  const feed = createFeed({ engine, sink, logger, watch: [address()], minConfirmations: 0, ...more })
  feed.status$.subscribe((status) => void statuses.push(status))
  let hasEnded = false
  let failure: unknown
  const done = feed.run({ signal: stopped.signal }).then(
    () => (hasEnded = true),
    (error: unknown) => {
      hasEnded = true
      failure = error
    },
  )
  const reach = async (isReached: () => boolean): Promise<void> => {
    for (let turn = 0; turn < 2_000 && !hasEnded && !isReached(); turn++) await clock.advance(20)
  }
  await reach(() => sink.hasAddress(address()))
  await during()
  await reach(() => until(statuses.at(-1)!))
  stopped.abort()
  await done
  return { statuses, error: failure }
}

/** Rows of payments, and a position above them. */
async function store(): Promise<void> {
  const [node] = nodes
  const isStored = ({ blueScore: at }: FeedStatus): boolean => Number(at) === blueScore(node)
  const { error } = await run({}, isStored, () => pay(node, 5))
  expect(error).toBeUndefined()
  expect(sink.transfers.length).toBeGreaterThan(4)
}

it('F2 rewinds rows and cursor in one step, and stores the rows of the chain again', async () => {
  await store()
  const [node] = nodes
  const before = sink.transfers
  const tip = blueScore(node)
  sink.steps.length = 0
  const { statuses } = await run(
    { rewindTo: String(tip - 4) },
    ({ rollbacks, transfers }) => rollbacks > 0 && transfers > 0,
  )
  const [first] = sink.steps
  expect(first).toMatchObject({ rollback: { blueScore: BigInt(tip - 4), hash: chainOf(node)[tip - 4] } })
  expect(sink.steps.filter(({ rollback }) => rollback !== null)).toHaveLength(1)
  expect(statuses.at(-1)).toMatchObject({ rollbacks: 1, blueScore: BigInt(tip) })
  expect(sink.transfers).toEqual(before)
})

it('F2 refuses a rewind below the oldest row, with the range, and stores nothing', async () => {
  await store()
  const opened = sink.transfers.reduce(
    (oldest, { acceptingBlueScore }) => (acceptingBlueScore < oldest ? acceptingBlueScore : oldest),
    BigInt(blueScore(nodes[0])),
  )
  sink.steps.length = 0
  const tip = blueScore(nodes[0])
  const { error } = await run(
    { rewindTo: String(opened - 1n) },
    () => false,
    async () => {
      await clock.advance(1_000)
      await nodes[0].mine() // the UTXO index is read between two blocks
    },
  )
  expect(error).toMatchObject({
    code: 'invalid-argument',
    argument: 'rewindTo',
    message: '"rewindTo" is below the oldest stored row',
    hint: `Pass a block or a blue score from ${opened} to ${tip}.`,
  })
  expect(sink.steps).toEqual([])
})

it('F2 shows behind and rewound in status and log, with endpoints and blocks', async () => {
  await store()
  const [liar, honest, other] = nodes
  const shared = blueScore(honest)
  await liar.close()
  const tip = { hash: chainOf(liar).at(-1), blueScore: BigInt(blueScore(liar)) }
  await honest.mine(2)
  await other.sync(honest)
  const { statuses } = await run({}, ({ rollbacks }) => rollbacks > 0)
  expect(statuses.map(({ chain }) => chain)).toContain('behind')
  const [, first, second] = nodes.map(({ urls }) => urls.borsh)
  expect(statuses.at(-1)).toMatchObject({ chain: 'following', endpoint: first, rewound: 1 })
  expect(warnings).toContainEqual([
    'The chain of the node is behind the stored position',
    { endpoint: first, block: tip },
  ])
  expect(warnings).toContainEqual([
    'The stored position was no block of the chain and is rewound',
    { endpoints: [first, second], block: tip, to: { hash: chainOf(honest)[shared], blueScore: BigInt(shared) } },
  ])
  expect(sink.transfers.every(({ acceptingBlueScore }) => acceptingBlueScore <= BigInt(shared))).toBe(true)
})
