import { setImmediate } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { filter, firstValueFrom } from 'rxjs'
import { resolve } from 'node:path'
import { createChainEngine } from '../src/engine/engine.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { servePage } from '../test/setup/built-page.js'
import { runInChildProcess } from './lib/child-process.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { addressesOf, utxos } from './wire/utxos.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { startStubServer, type StubServer } from './wire/stub-server.js'

const FEW = 100_000
const MANY = 1_000_000
/** Measurements with few entries; one with many takes most of a minute on a busy machine. */
const ROUNDS = 3
const BYTES_LIMIT = 260
const READ_LIMIT = 60
const TASK_LIMIT = 50

/** Cost of one address with many UTXOs. */
interface Cost {
  /** Processor time from the first subscriber to the balance, ms. */
  readonly cpu: number
  /** Heap and buffers that a tracked entry takes, bytes. */
  readonly bytes: number
  /** Ms of the first read of `entries`. */
  readonly read: number
}

/** A million UTXOs of one address, against 100,000 in the same run; and the longest task of a page that loads them. */
export async function run(): Promise<BenchRow[]> {
  const [few, many] = [await measure(FEW, ROUNDS), await measure(MANY, 1)]
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
    limited(`first read of all ${FEW} entries`, read, READ_LIMIT, 'ms'),
    await longestTask(),
  ]
}

const cpuOf = (costs: readonly Cost[]): string => median(costs.map(({ cpu }) => cpu)).toFixed(0)

const limited = (what: string, value: number, limit: number, unit: string, more = ''): BenchRow => ({
  what,
  against: `its limit, ${limit} ${unit}`,
  ratio: value / limit,
  goal: '≤ 1 ×',
  met: value <= limit,
  detail: `${value.toFixed(0)} ${unit}${more}`,
})

async function startServer(count: number): Promise<{ readonly server: StubServer; readonly address: string }> {
  const entries = utxos(count, 1)
  const responses = { ...HANDSHAKE_RESPONSES, getUtxosByAddresses: { entries } }
  return { server: await startStubServer(createBorshCodec(), { responses }), address: addressesOf(entries)[0] ?? '' }
}

async function measure(count: number, rounds: number): Promise<readonly Cost[]> {
  const { server, address } = await startServer(count)
  const costs: Cost[] = []
  for (let round = 0; round < rounds; round++) {
    const task = { module: import.meta.url, name: 'track', args: [server.url, address, count] }
    costs.push(await runInChildProcess<Cost>(task))
  }
  server.close()
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
  const readFrom = performance.now()
  if (state.entries.length !== count) throw new Error(`${state.entries.length} entries`)
  return { cpu: (user + system) / 1000, bytes, read: performance.now() - readFrom }
}

/** Memory of JavaScript and its buffers, bytes. */
function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function longestTask(): Promise<BenchRow> {
  const what = `longest task of a page that loads ${MANY} UTXOs of one address`
  const missing = browserMissing()
  if (missing !== undefined) return limited(what, NaN, TASK_LIMIT, 'ms', `; ${missing}`)
  const { server, address } = await startServer(MANY)
  const browser = await openBrowser()
  const page = await servePage(pageOf(server.url, address))
  try {
    return limited(what, await samplePage(browser, page.url), TASK_LIMIT, 'ms', ' (0: no task above 50 ms)')
  } finally {
    await browser.close()
    page.close()
    server.close()
  }
}

async function samplePage(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.waitForFunction('window.load !== undefined')
  const longest = await page.evaluate<number>('load()')
  await page.close()
  return longest
}

const pageOf = (url: string, address: string): string => `
  import { createChainEngine } from ${JSON.stringify(resolve('src/engine/engine.ts'))}
  const engine = createChainEngine({ network: 'testnet-10', url: '${url}' })
  await engine.connection.connect()
  window.load = async () => {
    let longest = 0
    const note = (list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration) }
    new PerformanceObserver(note).observe({ type: 'longtask' })
    await new Promise((resolve) =>
      engine.utxos(['${address}']).state$.subscribe(({ freshness }) => freshness === 'fresh' && resolve()))
    await new Promise((resolve) => setTimeout(resolve, 200)) // entries are queued in a task of their own
    return longest
  }
`
