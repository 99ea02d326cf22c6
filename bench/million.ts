import { setImmediate } from 'node:timers/promises'
import { filter, firstValueFrom } from 'rxjs'
import { createChainEngine } from '../src/engine/engine.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { runInChildProcess } from './lib/child-process.js'
import { browserMissing } from './lib/chromium.js'
import { traceUtxoLoad } from './lib/load-utxos.js'
import { median } from './lib/median.js'
import { limited } from './lib/limited.js'
import type { BenchRow } from './row.js'
import { addressesOf, utxos } from './wire/utxos.js'
import { FEE_ESTIMATE, HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { startStubServer } from './wire/stub-server.js'

const FEW = 100_000
const MANY = 1_000_000
/** Measurements with few entries; one with many takes most of a minute on a busy machine. */
const ROUNDS = 3
const BYTES_LIMIT = 260
const READ_LIMIT = 60
const TASK_LIMIT = 50
const PAYMENT_TASK_LIMIT = 16

/** Cost of one address with many UTXOs. */
interface Cost {
  /** Processor time from the first subscriber to the balance, ms. */
  readonly cpu: number
  /** Heap and buffers that a tracked entry takes, bytes. */
  readonly bytes: number
  /** Processor time of the first read of `entries`, ms. */
  readonly read: number
}

/** A million UTXOs of one address, against 100,000 in the same run; and the longest task of a page that loads them. */
export async function run(): Promise<BenchRow[]> {
  const few = await withServer(FEW, (url, address) => measure(url, address, FEW, ROUNDS))
  const [many, tasks] = await withServer(MANY, async (url, address) => [
    await measure(url, address, MANY, 1),
    await longestTasks(url, address),
  ])
  const ratio = median(many.map(({ cpu }) => cpu)) / median(few.map(({ cpu }) => cpu))
  const bytes = median(many.map((cost) => cost.bytes))
  const read = median(few.map((cost) => cost.read))
  return [
    {
      what: `${MANY} UTXOs of one address from the socket to a balance, processor time`,
      against: `the same with ${FEW}`,
      ratio,
      goal: '≤ 11 ×',
      met: ratio <= 11,
      detail: `${cpuOf(many)} against ${cpuOf(few)} ms, each in its own process`,
    },
    limited(`heap and buffers of an entry among ${MANY}`, bytes, BYTES_LIMIT, 'bytes'),
    limited(`first read of all ${FEW} entries, processor time`, read, READ_LIMIT, 'ms'),
    ...tasks,
  ]
}

const cpuOf = (costs: readonly Cost[]): string => median(costs.map(({ cpu }) => cpu)).toFixed(0)

/** Calls `use` with a server of `count` UTXOs of one address. */
async function withServer<Result>(
  count: number,
  use: (url: string, address: string) => Promise<Result>,
): Promise<Result> {
  const entries = utxos(count, 1)
  const address = addressesOf(entries)[0] ?? ''
  const responses = { ...HANDSHAKE_RESPONSES, getUtxosByAddresses: { entries }, getFeeEstimate: FEE_ESTIMATE }
  const server = await startStubServer(createBorshCodec(), { responses })
  try {
    return await use(server.url, address)
  } finally {
    server.close()
  }
}

async function measure(url: string, address: string, count: number, rounds: number): Promise<readonly Cost[]> {
  const costs: Cost[] = []
  for (let round = 0; round < rounds; round++) {
    const task = { module: import.meta.url, name: 'track', args: [url, address, count] }
    costs.push(await runInChildProcess<Cost>(task))
  }
  return costs
}

export async function track(url: string, address: string, count: number): Promise<Cost> {
  const engine = createChainEngine({ network: 'testnet-10', url })
  await engine.connection.connect()
  const before = memory()
  const start = process.cpuUsage()
  const { state$ } = engine.utxos([address])
  state$.subscribe()
  const state = await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
  const { user, system } = process.cpuUsage(start)
  for (let turns = 0; turns < 5; turns++) {
    await setImmediate() // buffers are freed some turns after their collection
    globalThis.gc?.()
  }
  const bytes = (memory() - before) / count
  const readFrom = process.cpuUsage()
  if (state.entries.length !== count) throw new Error(`${state.entries.length} entries`)
  const read = process.cpuUsage(readFrom)
  return { cpu: (user + system) / 1000, bytes, read: (read.user + read.system) / 1000 }
}

/** Memory of JavaScript and its buffers, bytes. */
function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function longestTasks(url: string, address: string): Promise<readonly BenchRow[]> {
  const loads = `longest task of a page that loads ${MANY} UTXOs of one address, processor time`
  const pays = `longest task of a page that plans its first payment from ${MANY} UTXOs, processor time`
  const missing = browserMissing()
  if (missing !== undefined) {
    const unmeasured = `; ${missing}`
    return [limited(loads, NaN, TASK_LIMIT, 'ms', unmeasured), limited(pays, NaN, PAYMENT_TASK_LIMIT, 'ms', unmeasured)]
  }
  const { delivery, longestAfterDelivery, payment } = await traceUtxoLoad(url, [address])
  const more = `, once Chromium has delivered the frame, which takes one task of ${delivery.toFixed(0)} ms without code of the page`
  return [
    limited(loads, longestAfterDelivery, TASK_LIMIT, 'ms', more),
    limited(pays, payment, PAYMENT_TASK_LIMIT, 'ms'),
  ]
}
