import { resolve } from 'node:path'
import type { Browser, CDPSession } from 'playwright-core'
import { bundle, measure } from '../scripts/size/bundle.mjs'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { bundlePage } from './lib/page.js'
import { serveCompressed, urlOf } from './lib/throttled.js'
import type { BenchRow } from './row.js'

const ROOT = resolve(import.meta.dirname, '..', '..')
const source = (path: string): string => JSON.stringify(resolve(ROOT, path))

/** Bytes of min + gzip, without RxJS. */
const SIZE = 110_000
/** One-input payments admitted a second. */
const RATE = 600
const PAYMENTS = 600

/** The network without sockets: its size in a bundle, and the payments that it admits in a page. */
export async function run(): Promise<BenchRow[]> {
  return [await sizeRow(), await rateRow()]
}

async function sizeRow(): Promise<BenchRow> {
  const { all } = measure(await bundle(`export { createMemoryDevnode } from ${source('src/devnode/memory/index.ts')}`))
  return {
    what: 'size of `vue-chain/devnode/memory`, all parts, without RxJS',
    against: `${SIZE / 1000} kB min + gzip`,
    ratio: all.gzip / SIZE,
    goal: '≤ 1 ×',
    met: all.gzip <= SIZE,
    detail: `${(all.gzip / 1000).toFixed(1)} kB`,
  }
}

async function rateRow(): Promise<BenchRow> {
  const what = 'one-input payments that the network in a page admits'
  const against = `${RATE} a second`
  const missing = browserMissing()
  if (missing !== undefined) return { what, against, goal: '≥ 1 ×', ratio: NaN, met: false, detail: missing }
  const browser = await openBrowser()
  try {
    const { byProcessor, byClock } = await measureRates(browser)
    const detail = `${byProcessor.toFixed(0)} a second of processor time, ${byClock.toFixed(0)} by the clock: ${PAYMENTS} signed payments in Chromium, codec and verification included`
    const met = byProcessor >= RATE
    return { what, against, ratio: byProcessor / RATE, goal: '≥ 1 × (higher is better)', met, detail }
  } finally {
    await browser.close()
  }
}

/** An account for each payment, so that each has an input of its own; signed before the time is taken. */
const CODE = `
  import { createMemoryDevnode } from ${source('dist/devnode/memory.js')}
  import { createChainEngine } from ${source('dist/streams.js')}
  import { light } from ${source('dist/light.js')}
  const devnode = createMemoryDevnode({ blockInterval: 0, accounts: ${PAYMENTS} })
  const engine = createChainEngine({ ...devnode.engineOptions, sdk: light })
  await engine.connection.connect()
  await engine.wasm.init()
  const to = devnode.accounts[0].address
  const payments = []
  for (const { address, privateKeyHex } of devnode.accounts) {
    const entries = await engine.rpc.getUtxosByAddresses([address])
    const { transactions } = await engine.transactions.create({
      entries,
      outputs: [{ address: to, amount: 100_000_000n }],
      changeAddress: address,
    })
    await transactions[0].signAsync([privateKeyHex])
    payments.push(transactions[0])
  }
  window.submitAll = async () => {
    await Promise.all(payments.map((payment) => payment.submit()))
    return devnode.expected.mempool().length
  }
`

/** Payments a second of processor time, which other load on the machine does not change, and of the clock. */
interface Rates {
  readonly byProcessor: number
  readonly byClock: number
}

async function measureRates(browser: Browser): Promise<Rates> {
  const page = await bundlePage(CODE)
  const server = await serveCompressed(page.folder)
  try {
    const tab = await browser.newPage()
    await tab.goto(urlOf(server))
    await tab.waitForFunction('window.submitAll', undefined, { timeout: 120_000 })
    const session = await tab.context().newCDPSession(tab)
    await session.send('Performance.enable')
    const before = await readClocks(session)
    const admitted = await tab.evaluate<number>('submitAll()')
    const after = await readClocks(session)
    if (admitted !== PAYMENTS) throw new Error(`${admitted} of ${PAYMENTS} payments were admitted`)
    return {
      byProcessor: admitted / (after.processor - before.processor),
      byClock: admitted / (after.clock - before.clock),
    }
  } finally {
    server.close()
    page.remove()
  }
}

/** Processor time of the page's main thread, and the time of the clock, both in s. */
async function readClocks(session: CDPSession): Promise<{ readonly processor: number; readonly clock: number }> {
  const { metrics } = await session.send('Performance.getMetrics')
  const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN
  return { processor: valueOf('ThreadTime'), clock: valueOf('Timestamp') }
}
