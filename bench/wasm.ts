import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { servePage, type BuiltPage } from '../test/setup/built-page.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

const ROUNDS = 20
const LIMIT = 1.1

/** Loads the SDK by the loader, or instantiates its WASM file alone. */
const LOADER = `
  import { loadSdk } from ${JSON.stringify(resolve('src/sdk/wasm/load.ts'))}
  const stubs = { __wbindgen_placeholder__: new Proxy({}, { get: () => () => 0 }) }
  window.timed = async (start) => { const from = performance.now(); await start(); return performance.now() - from }
  window.loader = () => timed(loadSdk)
  window.bare = (url) => timed(() => WebAssembly.instantiateStreaming(fetch(url), stubs))
`

/** Loads it by an engine, which first fetches the loader and its importer. */
const ENGINE = `
  import { createChainEngine } from ${JSON.stringify(resolve('src/streams/index.ts'))}
  const { wasm } = createChainEngine({ network: 'simnet' })
  window.engine = async () => { const from = performance.now(); await wasm.init(); return performance.now() - from }
`

/** WASM ready in Chromium on a cold page, against the bare instantiation of the same file from the same server. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow('', NaN, missing)]
  const [loader, engine] = [await servePage(LOADER), await servePage(ENGINE)]
  const browser = await openBrowser()
  try {
    const rounds = await measure(browser, loader, engine)
    const row = (how: string, ours: readonly number[]): BenchRow => {
      const [time, bare] = [median(ours), median(rounds.map((round) => round.bare))]
      const detail = `${time.toFixed(0)} ms against ${bare.toFixed(0)} ms, median of ${ROUNDS} rounds, local server, uncompressed`
      return toRow(how, time / bare, detail)
    }
    return [
      row(
        '',
        rounds.map((round) => round.loader),
      ),
      row(
        ", by an engine's init(), which fetches the loader first",
        rounds.map((round) => round.engine),
      ),
    ]
  } finally {
    await browser.close()
    loader.close()
    engine.close()
  }
}

const toRow = (how: string, ratio: number, detail: string): BenchRow => ({
  what: `WASM ready in Chromium, cold${how}`,
  against: 'bare instantiateStreaming of the same file',
  ratio,
  goal: `≤ ${LIMIT} ×`,
  met: ratio <= LIMIT,
  detail,
})

/** Times of loads in sequence, ms, so that load on the machine affects all of them. */
type Round = Readonly<Record<'loader' | 'engine' | 'bare', number>>

/** Each load has its own browser context without a shared cache. The order rotates; the first round is a warm-up. */
async function measure(browser: Browser, loader: BuiltPage, engine: BuiltPage): Promise<Round[]> {
  const wasm = loader.files.find((file) => file.endsWith('.wasm')) ?? ''
  const loads = [
    async () => ({ loader: await once(browser, loader.url, 'loader()') }),
    async () => ({ engine: await once(browser, engine.url, 'engine()') }),
    async () => ({ bare: await once(browser, loader.url, `bare('${wasm}')`) }),
  ]
  const rounds: Round[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const times = { loader: NaN, engine: NaN, bare: NaN }
    for (let turn = 0; turn < loads.length; turn++) Object.assign(times, await loads[(round + turn) % loads.length]?.())
    rounds.push(times)
  }
  return rounds.slice(1)
}

async function once(browser: Browser, url: string, call: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  const time = await page.evaluate<number>(`window.${call}`)
  await context.close()
  return time
}
