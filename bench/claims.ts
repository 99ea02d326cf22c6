import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { bundlePage } from './lib/page.js'
import { percentile } from './lib/percentile.js'
import { serveCompressed, urlOf } from './lib/throttled.js'
import type { BenchRow } from './row.js'

const TABS = 5
/** Payments of each tab, one after the other. */
const ROUNDS = 40
/** Inputs of a payment, and those that fit one transaction. */
const [SIZES, PER_TRANSACTION] = [[1, 1_000], 88]
/** Ms, p95. */
const LIMIT = 30

/** From the call of a claim until all tabs respect it, where five tabs of an origin pay at once. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return SIZES.map((size) => ({ ...toRow(size, []), detail: missing }))
  const [built, browser] = [await bundlePage(PAGE), await openBrowser()]
  const server = await serveCompressed(built.folder)
  try {
    const rows: BenchRow[] = []
    for (const size of SIZES) rows.push(toRow(size, await claimInTabs(browser, urlOf(server), size)))
    return rows
  } finally {
    await browser.close()
    server.close()
    built.remove()
  }
}

const source = (path: string): string => JSON.stringify(resolve(path))

/** A tab without a node: `claim()` claims the payments that were prepared, and ends each with its reservation. */
const PAGE = `
  import { NEVER } from 'rxjs'
  import { TabClaims } from ${source('src/engine/claims/tab-claims.ts')}
  import { createBrowserPlatform } from ${source('src/platform/browser.ts')}
  import { createBrowserTabs } from ${source('src/platform/tabs.ts')}
  import { createUnconfirmed } from ${source('src/streams/utxos/unconfirmed/unconfirmed.ts')}
  const platform = createBrowserPlatform()
  const unconfirmed = createUnconfirmed({ network$: NEVER, ended$: NEVER, platform })
  const claims = new TabClaims({
    tabs: createBrowserTabs(),
    name: 'vue-chain/bench/simnet',
    isCurrent: () => true,
    unconfirmed,
    platform,
    logger: console,
    onFailure: (error) => console.error(error),
  })
  await claims.refresh() // as an engine does when it is created
  const id = () => crypto.getRandomValues(new Uint8Array(32)).toHex()
  const scriptPublicKey = { version: 0, script: '20' + '00'.repeat(32) + 'ac' }
  const payments = (inputs) => Array.from({ length: Math.ceil(inputs / ${PER_TRANSACTION}) }, (_, at) => ({
    id: id(),
    inputs: Array.from({ length: Math.min(${PER_TRANSACTION}, inputs - at * ${PER_TRANSACTION}) }, () => ({
      outpoint: { transactionId: id(), index: 0 },
      scriptPublicKey,
      amount: 1n,
    })),
    outputs: [{ value: 1n, scriptPublicKey }],
  }))
  let plans = []
  window.prepare = (inputs, rounds) => {
    plans = Array.from({ length: rounds }, () => payments(inputs))
  }
  window.claim = async () => {
    const times = []
    for (const payments of plans) {
      const plan = { network: 'simnet', payments, change: scriptPublicKey, replaces: undefined }
      const releases = plan.payments.map((payment) => unconfirmed.reserve(payment, Infinity))
      const from = performance.now()
      const result = await claims.claim(plan, 'planned')
      times.push(performance.now() - from)
      if (result !== 'claimed') throw new Error(result)
      for (const release of releases) release()
    }
    return times
  }
`

async function claimInTabs(browser: Browser, url: string, inputs: number): Promise<readonly number[]> {
  const context = await browser.newContext()
  try {
    const pages = await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await context.newPage()
        await page.goto(url)
        await page.waitForFunction('window.claim')
        return page
      }),
    )
    // in all tabs, before any is timed
    await Promise.all(pages.map((page) => page.evaluate(`window.prepare(${inputs}, ${ROUNDS})`)))
    const times = await Promise.all(pages.map((page) => page.evaluate<number[]>('window.claim()')))
    return times.flat()
  } finally {
    await context.close()
  }
}

function toRow(inputs: number, times: readonly number[]): BenchRow {
  const p95 = percentile(times, 0.95)
  return {
    what: `the claim of a payment of ${inputs.toLocaleString('en')} inputs, ${TABS} tabs of Chromium at once, p95`,
    against: `its limit, ${LIMIT} ms`,
    ratio: p95 / LIMIT,
    goal: '≤ 1 ×',
    met: p95 <= LIMIT,
    detail: `${p95.toFixed(1)} ms, median ${percentile(times, 0.5).toFixed(1)} ms of ${times.length}`,
  }
}
