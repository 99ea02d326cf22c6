import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { createChainEngine } from '../src/engine/engine.js'
import { methods } from '../src/node/messages/lookup.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { runInChildProcess } from './lib/child-process.js'
import { median } from './lib/median.js'
import { bundlePage } from './lib/page.js'
import { serveCompressed, throttle, urlOf } from './lib/throttled.js'
import type { BenchRow } from './row.js'
import { ADDRESS, KAS, KEY, startPayingNode } from './wire/paying-node.js'
import { timePayments } from './wire/timed-payments.js'

const UTXOS = 1_000
const ROUNDS = 7
/** Ms; a response within it seems immediate. */
const LIMIT = 100

/**
 * From the first call of `send()` until its submission is written: on a page that was left alone, and in a new process.
 */
export async function run(): Promise<BenchRow[]> {
  const node = await startPayingNode(UTXOS)
  try {
    return [await inChromium(node.url), await inNode(node.url)]
  } finally {
    node.close()
  }
}

async function inNode(url: string): Promise<BenchRow> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    times.push(await runInChildProcess({ module: import.meta.url, name: 'payFirst', args: [url] }))
  return toRow('in Node', times)
}

/** The first payment of a process, ms; runs in a child process. */
export async function payFirst(url: string): Promise<number> {
  const [payment] = await timePayments(createChainEngine({ network: 'testnet-10', url }), 1)
  return payment?.wire ?? NaN
}

async function inChromium(url: string): Promise<BenchRow> {
  const where = 'on a page in Chromium (20 Mbit/s, 40 ms, gzip)'
  const missing = browserMissing()
  if (missing !== undefined) return { ...toRow(where, []), detail: missing }
  const [built, browser] = [await bundlePage(pageOf(url)), await openBrowser()]
  const server = await serveCompressed(built.folder)
  try {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await clickOnce(browser, urlOf(server)))
    return toRow(where, times)
  } finally {
    await browser.close()
    server.close()
    built.remove()
  }
}

const source = (path: string): string => JSON.stringify(resolve(path))

/** Shows a balance; `click()` pays, as soon as everything that the page loads by itself is there. */
const pageOf = (url: string): string => `
  import { createApp, h } from 'vue'
  import { VueChain, useChain, useTransaction, useUtxo } from ${source('src/index.ts')}
  const App = {
    setup() {
      const { send } = useTransaction()
      const { balance, matureEntries, freshness } = useUtxo(['${ADDRESS}'])
      const { wasmStatus } = useChain()
      let submittedAt
      const write = WebSocket.prototype.send
      WebSocket.prototype.send = function (data) {
        if (new Uint8Array(data.buffer ?? data)[9] === ${methods.submitTransaction.op}) submittedAt = performance.now()
        return write.call(this, data)
      }
      window.isReady = () => freshness.value === 'fresh' && wasmStatus.value === 'ready'
      window.click = async () => {
        const from = performance.now()
        await send({
          entries: matureEntries.value,
          outputs: [{ address: '${ADDRESS}', amount: ${KAS}n }],
          changeAddress: '${ADDRESS}',
          privateKeys: ['${KEY}'],
        })
        return submittedAt - from
      }
      return () => h('p', String(balance.value.mature))
    },
  }
  createApp(App).use(VueChain, { network: 'testnet-10', url: '${url}' }).mount('#app')
`

/** Time that a user looks at the page, ms. */
const LOOK = 3_000

async function clickOnce(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await throttle(await context.newCDPSession(page))
    await page.goto(url)
    await page.waitForFunction('window.isReady?.()')
    await page.waitForTimeout(LOOK)
    return await page.evaluate<number>('window.click()')
  } finally {
    await context.close()
  }
}

function toRow(where: string, times: readonly number[]): BenchRow {
  const time = median([...times])
  return {
    what: `the first \`send()\`, ${where}, ${UTXOS} UTXOs known, until its submission is written to the socket`,
    against: `its limit, ${LIMIT} ms`,
    ratio: time / LIMIT,
    goal: '≤ 1 ×',
    met: time <= LIMIT,
    detail: `${time.toFixed(1)} ms, median of ${ROUNDS}, with its calls of the node and one signature`,
  }
}
