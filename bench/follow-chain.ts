import { createChainEngine, type ChainEngine } from '../src/engine/engine.js'
import type { FollowChainOptions } from '../src/streams/chain/options.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import type { BenchRow } from './row.js'
import { chainHash } from './wire/chain-blocks.js'
import { createSyntheticChain, type SyntheticChain } from './wire/synthetic-chain.js'

const BLOCKS = 100_000
const ROUNDS = 2

/**
 * Following a long chain in full detail: against decoding the same responses, by pace, by memory, and when resuming.
 */
export async function run(): Promise<BenchRow[]> {
  const chain = createSyntheticChain(BLOCKS)
  const engine = createChainEngine({ network: 'testnet-10', url: 'ws://memory', heartbeat: false, ports: chain })
  await engine.connection.connect()
  await follow(engine) // encodes the pages, and warms the code
  const followed = await best(() => follow(engine))
  const decoded = await best(() => decode(chain))
  const { requests, blocks } = await resume(engine, chain)
  const slow = await followSlowly(engine)
  await engine.dispose()
  const [ratio, pace] = [followed.cpu / decoded.cpu, BLOCKS / followed.seconds]
  return [
    {
      what: `followChain over ${BLOCKS} chain blocks with 3 transactions each`,
      against: 'decoding the same responses',
      ratio,
      goal: '≤ 1.3 ×',
      met: ratio <= 1.3,
      detail: `${followed.cpu.toFixed(2)} against ${decoded.cpu.toFixed(2)} s of processor time, best of ${ROUNDS}`,
    },
    {
      what: 'the pace of followChain',
      against: '2,000 blocks a second',
      ratio: pace / 2_000,
      goal: '≥ 1 ×',
      met: pace >= 2_000,
      detail: `${Math.round(pace)} blocks a second`,
    },
    {
      what: 'requests until the first batch after a cursor',
      against: '4 requests',
      ratio: requests / 4,
      goal: '≤ 1 ×',
      met: requests <= 4 && blocks > 0,
      detail: `${requests} requests, a batch of ${blocks} blocks`,
    },
    {
      what: `the growth of memory while a slow consumer follows ${BLOCKS} blocks`,
      against: '32 MiB',
      ratio: slow.growth / 32,
      goal: '≤ 1 ×',
      met: slow.growth <= 32,
      detail: `from ${slow.first.toFixed(0)} MiB after the first page by ${slow.growth.toFixed(1)} MiB at most, ${PAUSE} ms a batch`,
    },
  ]
}

interface Cost {
  /** Seconds of processor time. */
  readonly cpu: number
  readonly seconds: number
}

async function best(work: () => Promise<void> | void): Promise<Cost> {
  const costs: Cost[] = []
  for (let round = 0; round < ROUNDS; round++) costs.push(await costOf(work))
  return costs.reduce((a, b) => (a.cpu < b.cpu ? a : b))
}

async function costOf(work: () => Promise<void> | void): Promise<Cost> {
  globalThis.gc?.()
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpu: (user + system) / 1e6, seconds: (performance.now() - start) / 1_000 }
}

/** Ms that the slow consumer takes for a batch; a page has several. */
const PAUSE = 20
const MEBIBYTE = 2 ** 20

/** The memory in use, sampled at every hundredth batch of a consumer that is far slower than the node. */
async function followSlowly(engine: ChainEngine): Promise<{ readonly first: number; readonly growth: number }> {
  const samples: number[] = []
  let batches = 0
  for await (const batch of engine.followChain(options)) {
    if (batches++ % 100 === 50) samples.push(memory())
    if (batch.isLive) break
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  const [first = 0] = samples
  return { first, growth: Math.max(...samples) - first }
}

/** MiB in use after a collection of garbage. */
function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MEBIBYTE
}

const options: FollowChainOptions = { from: chainHash(0) }

async function follow(engine: ChainEngine): Promise<void> {
  let blocks = 0
  for await (const batch of engine.followChain(options)) {
    blocks += batch.blocks.length
    if (batch.isLive) break
  }
  if (blocks !== BLOCKS) throw new Error(`Expected ${BLOCKS} blocks, got ${blocks}`)
}

function decode({ pages }: SyntheticChain): void {
  const codec = createBorshCodec()
  for (const page of pages) {
    const message = codec.decodeMessage(page, () => 'getVirtualChainFromBlockV2')
    if (message.kind !== 'response') throw new Error(`Expected a response, got ${message.kind}`)
  }
}

async function resume(engine: ChainEngine, chain: SyntheticChain): Promise<{ requests: number; blocks: number }> {
  const first = await engine.followChain(options).next()
  const before = chain.requests.length
  const batches = engine.followChain({ cursor: first.value?.cursor ?? '' })
  const { value } = await batches.next()
  const requests = chain.requests.length - before
  await batches.return?.()
  return { requests, blocks: value?.blocks.length ?? 0 }
}
