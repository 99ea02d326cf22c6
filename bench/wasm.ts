import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { servePage, type BuiltPage } from '../test/setup/built-page.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

const ROUNDS = 20
const LIMIT = 1.1

/** A page that can do both: load the SDK as we do, or only its WASM file, bare. */
const PAGE = `
  import { loadSdk } from ${JSON.stringify(resolve('src/sdk/wasm/load.ts'))}
  const timed = async (start) => { const from = performance.now(); await start(); return performance.now() - from }
  const stubs = { __wbindgen_placeholder__: new Proxy({}, { get: () => () => 0 }) }
  window.ours = () => timed(loadSdk)
  window.bare = (url) => timed(() => WebAssembly.instantiateStreaming(fetch(url), stubs))
`

/** WASM ready in Chromium on a cold page, against the bare instantiation of the same file from the same server. */
export async function run(): Promise<BenchRow[]> {
  const row = {
    what: 'WASM ready in Chromium, cold',
    against: 'bare instantiateStreaming of the same file',
    goal: `≤ ${LIMIT} ×`,
  }
  const missing = browserMissing()
  if (missing !== undefined) return [{ ...row, ratio: NaN, met: false, detail: missing }]
  const page = await servePage(PAGE)
  const browser = await openBrowser()
  try {
    const pairs = await measure(browser, page)
    const [ours, bare] = [median(pairs.map(({ ours }) => ours)), median(pairs.map(({ bare }) => bare))]
    const detail = `${ours.toFixed(0)} ms against ${bare.toFixed(0)} ms, median of ${ROUNDS} pairs, local server, uncompressed`
    return [{ ...row, ratio: ours / bare, met: ours / bare <= LIMIT, detail }]
  } finally {
    await browser.close()
    page.close()
  }
}

/** Two loads right after one another, ms: what slows the machine down slows both. */
interface Pair {
  readonly ours: number
  readonly bare: number
}

/** Each load in a fresh context, that shares no cache. Ours and the bare one take turns in going first. The first pair warms. */
async function measure(browser: Browser, page: BuiltPage): Promise<Pair[]> {
  const wasm = page.files.find((file) => file.endsWith('.wasm')) ?? ''
  const loadOurs = (): Promise<number> => once(browser, page.url, 'ours()')
  const loadBare = (): Promise<number> => once(browser, page.url, `bare('${wasm}')`)
  const pairs: Pair[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const first = round % 2 === 0 ? await loadOurs() : await loadBare()
    const second = round % 2 === 0 ? await loadBare() : await loadOurs()
    pairs.push(round % 2 === 0 ? { ours: first, bare: second } : { ours: second, bare: first })
  }
  return pairs.slice(1)
}

async function once(browser: Browser, url: string, call: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  const time = await page.evaluate<number>(`window.${call}`)
  await context.close()
  return time
}
