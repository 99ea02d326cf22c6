import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { servePage, type BuiltPage } from '../test/setup/built-page.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

const ROUNDS = 20
const READY_LIMIT = 80
const KEY_LIMIT = 120

const source = (path: string): string => JSON.stringify(resolve(path))

/** Times of `init()`, and from its start to the first key of a mnemonic, ms. */
const timesOf = (sdk: string): string => `
  import { createChainEngine } from ${source('src/streams/index.ts')}
  import { light } from ${source('src/light/index.ts')}
  const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
  const { wasm, keys } = createChainEngine({ network: 'simnet', sdk: ${sdk} })
  window.measure = async () => {
    const from = performance.now()
    await wasm.init()
    const ready = performance.now() - from
    keys.mnemonicToKeypair(mnemonic, 'simnet')
    return { ready, firstKey: performance.now() - from }
  }
`

interface Times {
  readonly ready: number
  readonly firstKey: number
}

/** `light` ready and its first key in Chromium on a cold page, against the WASM SDK from the same server. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow('light ready', NaN, NaN, READY_LIMIT, missing)]
  const [light, wasm] = [
    await servePage(timesOf('light'), {}, { __VUE_CHAIN_WASM__: 'false' }),
    await servePage(timesOf('undefined')),
  ]
  const browser = await openBrowser()
  try {
    const rounds = await measure(browser, light, wasm)
    const row = (what: string, time: keyof Times, limit: number): BenchRow =>
      toRow(
        what,
        median(rounds.map((round) => round.light[time])),
        median(rounds.map((round) => round.wasm[time])),
        limit,
      )
    return [row('`light` ready', 'ready', READY_LIMIT), row('first key of `light`', 'firstKey', KEY_LIMIT)]
  } finally {
    await browser.close()
    light.close()
    wasm.close()
  }
}

function toRow(what: string, ours: number, theirs: number, limit: number, missing?: string): BenchRow {
  const figures = `${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms, median of ${ROUNDS} rounds, local server, uncompressed`
  return {
    what: `${what} in Chromium, cold, from the call of init()`,
    against: 'the WASM SDK in the same engine',
    ratio: ours / theirs,
    goal: `≤ ${limit} ms`,
    met: ours <= limit,
    detail: missing ?? figures,
  }
}

/** Both sides alternate, each load in a browser context without a cache; the first round is a warm-up. */
async function measure(
  browser: Browser,
  light: BuiltPage,
  wasm: BuiltPage,
): Promise<Record<'light' | 'wasm', Times>[]> {
  const rounds: Record<'light' | 'wasm', Times>[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    rounds.push({ light: await once(browser, light.url), wasm: await once(browser, wasm.url) })
  }
  return rounds.slice(1)
}

async function once(browser: Browser, url: string): Promise<Times> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  const times = await page.evaluate<Times>('window.measure()')
  await context.close()
  return times
}
