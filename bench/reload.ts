import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import { bundlePage } from './lib/page.js'
import { serveCompressed, urlOf } from './lib/throttled.js'
import type { BenchRow } from './row.js'
import { ADDRESS, startPayingNode } from './wire/paying-node.js'

const ROUNDS = 11
const UTXOS = 100_000
/** Ms. */
const LIMIT = 100

const source = (path: string): string => JSON.stringify(resolve(path))

/** A page whose element shows the balance of the address; `restored` and `fresh` are set once it shows such a one. */
const pageOf = (url: string): string => `
  import { createApp, defineComponent, h, watchEffect } from 'vue'
  import { VueChain, useUtxo } from ${source('src/index.ts')}
  const App = defineComponent(() => {
    const { balance, freshness, asOf } = useUtxo([${JSON.stringify(ADDRESS)}])
    watchEffect(() => {
      if (asOf.value !== null) window.restored ??= performance.now()
      if (freshness.value === 'fresh') window.fresh ??= performance.now()
    }, { flush: 'post' })
    return () => h('p', String(balance.value.mature))
  })
  createApp(App)
    .use(VueChain, { network: 'testnet-10', url: ${JSON.stringify(url)}, shared: { claims: false, connection: false, state: true } })
    .mount('#app')
  const [script] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  window.loaded = script.responseEnd
`

/** Whether the balance is on the disk. */
const IS_STORED = `(async () => {
  const found = (await indexedDB.databases()).find(({ name }) => name.endsWith('/state'))
  if (found === undefined) return false
  const request = indexedDB.open(found.name)
  await new Promise((resolve) => (request.onsuccess = resolve))
  const count = request.result.transaction('summaries').objectStore('summaries').count()
  await new Promise((resolve) => (count.onsuccess = resolve))
  request.result.close()
  return count.result > 0
})()`

/** A page that is loaded again while its node is away: from the arrival of its script until it shows the balance. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow([], missing)]
  const node = await startPayingNode(UTXOS)
  const [built, browser] = [await bundlePage(pageOf(node.url)), await openBrowser()]
  const server = await serveCompressed(built.folder, 'max-age=3600') // as files with a hash in their names are
  try {
    const page = await browser.newPage()
    await page.goto(urlOf(server))
    await page.waitForFunction('window.fresh')
    const text = await page.textContent('p')
    while (!(await page.evaluate<boolean>(IS_STORED))) await page.waitForTimeout(100)
    node.close()
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) times.push(await reload(page, text))
    return [toRow(times)]
  } finally {
    node.close()
    await browser.close()
    server.close()
    built.remove()
  }
}

async function reload(page: Page, text: string | null): Promise<number> {
  await page.reload()
  await page.waitForFunction('window.restored')
  const shown = await page.textContent('p')
  if (shown !== text) throw new Error(`The page shows ${String(shown)} in place of ${String(text)}`)
  return page.evaluate<number>('window.restored - window.loaded')
}

function toRow(times: readonly number[], missing?: string): BenchRow {
  const ms = times.length === 0 ? Number.NaN : median(times)
  return {
    what: `balance after a reload, ${UTXOS.toLocaleString('en')} UTXOs, from the arrival of the script until the page shows it, files cached`,
    against: `its limit, ${LIMIT} ms`,
    ratio: ms / LIMIT,
    goal: '≤ 1 ×',
    met: ms <= LIMIT,
    detail:
      missing ?? `median ${ms.toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms of ${times.length}, no node`,
  }
}
