import type { Browser } from 'playwright-core'
import { resolve } from 'node:path'
import { servePage } from '../../test/setup/built-page.js'
import { openBrowser } from './chromium.js'
import { traceEvents, type TraceEvent } from './trace-events.js'

/** Processor time of tasks of a page's main thread, ms. */
export interface TaskTimes {
  /** The longest task in which Chromium delivers a frame of more than a megabyte. */
  readonly delivery: number
  /** The longest task from the subscription on, the deliveries included. */
  readonly longest: number
  /** The longest task after the first delivery, without the deliveries. */
  readonly longestAfterDelivery: number
  /** The longest task of the first payment from them. */
  readonly payment: number
}

/** Traces a page of Chromium that tracks the UTXOs of some addresses until they are fresh, then plans a payment. */
export async function traceUtxoLoad(url: string, addresses: readonly string[]): Promise<TaskTimes> {
  const browser = await openBrowser()
  const page = await servePage(pageOf(url, addresses))
  try {
    return await tracePage(browser, page.url)
  } finally {
    await browser.close()
    page.close()
  }
}

async function tracePage(browser: Browser, url: string): Promise<TaskTimes> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.waitForFunction('window.load !== undefined')
  const events = await traceEvents(page, ['toplevel', 'blink.user_timing'], () => page.evaluate('load()'))
  await page.close()
  const marks = events.filter(({ name }) => name === 'received')
  const [first] = marks
  if (first === undefined) throw new Error('No frame was received')
  const pay = events.find(({ name }) => name === 'pay')?.ts ?? NaN
  const tasks = events.filter((event) => isTask(event) && event.pid === first.pid && event.tid === first.tid)
  const isDelivery = ({ ts, dur = 0 }: TraceEvent): boolean => marks.some((mark) => ts <= mark.ts && mark.ts < ts + dur)
  return {
    delivery: longestOf(tasks.filter(isDelivery)),
    longest: longestOf(tasks),
    longestAfterDelivery: longestOf(
      tasks.filter(({ ts }) => ts > first.ts && ts < pay).filter((task) => !isDelivery(task)),
    ),
    payment: longestOf(tasks.filter(({ ts }) => ts >= pay)),
  }
}

const isTask = ({ name }: TraceEvent): boolean => name.endsWith('RunTask')

const longestOf = (events: readonly TraceEvent[]): number => Math.max(0, ...events.map(({ tdur = 0 }) => tdur / 1000))

const pageOf = (url: string, addresses: readonly string[]): string => `
  import { createChainEngine } from ${JSON.stringify(resolve('src/engine/engine.ts'))}
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args)
      this.addEventListener('message', ({ data }) => data.byteLength > 1e6 && performance.mark('received'))
    }
  }
  const engine = createChainEngine({ network: 'testnet-10', url: '${url}' })
  await engine.connection.connect()
  window.load = async () => {
    const { source } = await new Promise((resolve) =>
      engine.utxos(${JSON.stringify(addresses)}).state$.subscribe((state) => state.freshness === 'fresh' && resolve(state)))
    await new Promise((resolve) => setTimeout(resolve)) // ends the task that loaded them
    performance.mark('pay')
    await engine.transactions.create({
      entries: source,
      outputs: [{ address: '${addresses[0] ?? ''}', amount: 1_000_000_000n }],
      changeAddress: '${addresses[0] ?? ''}',
    })
  }
`
