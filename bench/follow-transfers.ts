import { createChainEngine, type ChainEngine } from '../src/engine/engine.js'
import { encodeAddress } from '../src/model/address.js'
import { encodeCursor } from '../src/model/chain-cursor/encode-cursor.js'
import { locatorAt } from '../src/model/chain-cursor/locator.js'
import { createWatchedAddresses, type WatchedAddresses } from '../src/streams/transfers/watched-addresses.js'
import type { BenchRow } from './row.js'
import { chainHash } from './wire/chain-blocks.js'
import { createSyntheticChain } from './wire/synthetic-chain.js'

const BLOCKS = 20_000
const MANY = 1_000_000
const ROUNDS = 3
const MEBIBYTE = 2 ** 20

/** Following credits and debits of a million addresses, against ten. */
export async function run(): Promise<BenchRow[]> {
  const chain = createSyntheticChain(BLOCKS)
  const engine = createChainEngine({ network: 'testnet-10', url: 'ws://memory', heartbeat: false, ports: chain })
  await engine.connection.connect()
  const few = createWatchedAddresses(addresses(10))
  await follow(engine, few) // encodes the pages, and warms the code
  const before = memory()
  const many = createWatchedAddresses(addresses(MANY))
  const [tenTimes, millionTimes]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    tenTimes.push(await cpuOf(() => follow(engine, few)))
    millionTimes.push(await cpuOf(() => follow(engine, many)))
  }
  const used = (memory() - before) / MEBIBYTE
  const [ten, million] = [Math.min(...tenTimes), Math.min(...millionTimes)]
  await engine.dispose()
  return [
    {
      what: `followTransfers of ${MANY} addresses over ${BLOCKS} chain blocks`,
      against: 'the same with 10 addresses',
      ratio: million / ten,
      goal: '≤ 1.5 ×',
      met: million / ten <= 1.5,
      detail: `${million.toFixed(2)} against ${ten.toFixed(2)} s of processor time, best of ${ROUNDS}`,
    },
    {
      what: `the memory of ${MANY} watched addresses`,
      against: '200 MiB',
      ratio: used / 200,
      goal: '≤ 1 ×',
      met: used <= 200,
      detail: `${used.toFixed(0)} MiB, the texts of the addresses included`,
    },
  ]
}

/** Distinct addresses, as an iterable that holds none of them. */
function* addresses(count: number): Iterable<string> {
  const payload = new Uint8Array(32)
  const view = new DataView(payload.buffer)
  for (let index = 0; index < count; index++) {
    view.setUint32(0, index + 1)
    yield encodeAddress('kaspatest', 'PubKey', payload)
  }
}

async function follow(engine: ChainEngine, watched: WatchedAddresses): Promise<void> {
  const start = { hash: chainHash(0), blueScore: 0n, blueWork: '0'.padStart(48, '0') }
  const cursor = encodeCursor(locatorAt(start), 'testnet-10')
  for await (const batch of engine.followTransfers({ addresses: watched, cursor })) if (batch.isLive) return
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  globalThis.gc?.()
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
