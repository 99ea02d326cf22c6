import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { servePage, type BuiltPage } from '../test/setup/built-page.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
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
  if (!existsSync(CHROMIUM)) return [{ ...row, ratio: NaN, met: false, detail: `skipped, no browser at ${CHROMIUM}` }]
  const page = await servePage(PAGE)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  try {
    const { ours, bare } = await measure(browser, page)
    const detail = `${ours.toFixed(0)} ms against ${bare.toFixed(0)} ms, median of ${ROUNDS}, local server, uncompressed`
    return [{ ...row, ratio: ours / bare, met: ours / bare <= LIMIT, detail }]
  } finally {
    await browser.close()
    page.close()
  }
}

/** Each load in a fresh context, that shares no cache. Ours and the bare one take turns in going first. */
async function measure(browser: Browser, page: BuiltPage): Promise<{ ours: number; bare: number }> {
  const wasm = page.files.find((file) => file.endsWith('.wasm')) ?? ''
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const ours = async (): Promise<number> => times.ours.push(await once(browser, page.url, 'ours()'))
    const bare = async (): Promise<number> => times.bare.push(await once(browser, page.url, `bare('${wasm}')`))
    for (const load of round % 2 === 0 ? [ours, bare] : [bare, ours]) await load()
  }
  return { ours: median(times.ours), bare: median(times.bare) }
}

async function once(browser: Browser, url: string, call: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  const time = await page.evaluate<number>(`window.${call}`)
  await context.close()
  return time
}
