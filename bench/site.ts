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
/** Each with its limit, ms until the first contentful paint. */
const PAGES = {
  'the start page': { path: '', limit: 700 },
  'a page with a live example': { path: 'composables/useBalance.html', limit: 1_500 },
  'the playground': { path: 'playground.html', limit: 1_500 },
}

/** The first contentful paint of the documentation's site on a cold, throttled page. */
export async function run(): Promise<BenchRow[]> {
  const missing = existsSync(SITE) ? browserMissing() : 'skipped, no site: npm run docs:build'
  const rowOf = (name: string, limit: number, ms: number, detail: string): BenchRow => ({
    what: `first contentful paint of the site, ${name}`,
    against: `${limit} ms (20 Mbit/s, 40 ms, gzip)`,
    ratio: ms / limit,
    goal: '≤ 1 ×',
    met: ms <= limit,
    detail,
  })
  if (missing !== undefined) return Object.entries(PAGES).map(([name, { limit }]) => rowOf(name, limit, NaN, missing))
  const [server, browser] = await Promise.all([serveCompressed(SITE), openBrowser()])
  try {
    const rows: BenchRow[] = []
    for (const [name, { path, limit }] of Object.entries(PAGES)) {
      const ms = await measure(browser, urlOf(server) + path)
      rows.push(rowOf(name, limit, ms, `${ms.toFixed(0)} ms, median of ${ROUNDS}`))
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
