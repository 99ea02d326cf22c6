import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import { serveCompressed, throttle, urlOf } from './lib/throttled.js'
import type { BenchRow } from './row.js'

/** Written by `npm run docs:build`. */
const SITE = resolve(import.meta.dirname, '..', '..', '.cache/site')
const ROUNDS = 5
/** Ms until the first contentful paint. */
const LIMIT = 1_500
const PAGES = {
  'the start page': '',
  'a page with a live example': 'composables/useBalance.html',
  'the playground': 'playground.html',
}

/** The first contentful paint of the documentation's site on a cold, throttled page. */
export async function run(): Promise<BenchRow[]> {
  const missing = existsSync(SITE) ? browserMissing() : 'skipped, no site: npm run docs:build'
  const rowOf = (name: string, ms: number, detail: string): BenchRow => ({
    what: `first contentful paint of the site, ${name}`,
    against: `${LIMIT} ms (20 Mbit/s, 40 ms, gzip)`,
    ratio: ms / LIMIT,
    goal: '≤ 1 ×',
    met: ms <= LIMIT,
    detail,
  })
  if (missing !== undefined) return Object.keys(PAGES).map((name) => rowOf(name, NaN, missing))
  const [server, browser] = await Promise.all([serveCompressed(SITE), openBrowser()])
  try {
    const rows: BenchRow[] = []
    for (const [name, path] of Object.entries(PAGES)) {
      const ms = await measure(browser, urlOf(server) + path)
      rows.push(rowOf(name, ms, `${ms.toFixed(0)} ms, median of ${ROUNDS}`))
    }
    return rows
  } finally {
    await browser.close()
    server.close()
  }
}

async function measure(browser: Browser, url: string): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await firstPaint(browser, url))
  return median(rounds)
}

/** One cold load in its own browser context. */
async function firstPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await throttle(await context.newCDPSession(page))
    await page.goto(url, { waitUntil: 'commit' })
    const painted = await page.waitForFunction<number>(
      'performance.getEntriesByName("first-contentful-paint")[0]?.startTime',
    )
    return await painted.jsonValue()
  } finally {
    await context.close()
  }
}
