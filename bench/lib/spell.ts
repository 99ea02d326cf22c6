import type { Browser, CDPSession, Page } from 'playwright-core'

/** What a page did for a while. */
export interface Spell {
  /** Flushes of Vue's that showed something new, and frames of the display, as the page counted them in `window.counts`. */
  readonly flushes: number
  readonly frames: number
  /** Of a core, by CPU time: all threads of the page's process; painting counts too. */
  readonly process: number
  /** Of a core, by CPU time: the thread that scripts run on. */
  readonly mainThread: number
}

/** Until what a page loads behind its first picture is there, ms. */
const SETTLING = 4_000
const WARMING = 1_000
const LASTING = 4_000

/** Opens a page in a context of its own, begins what it is to live through, and measures it once that is under way. */
export async function watchPage(browser: Browser, url: string, begin: () => void): Promise<Spell> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForFunction('window.counts !== undefined')
    await page.waitForTimeout(SETTLING)
    begin()
    await page.waitForTimeout(WARMING)
    return await measure(page)
  } finally {
    await context.close()
  }
}

async function measure(page: Page): Promise<Spell> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const before = await read(page, session)
  await page.waitForTimeout(LASTING)
  const after = await read(page, session)
  const lasted = after.at - before.at
  return {
    flushes: after.flushes - before.flushes,
    frames: after.frames - before.frames,
    process: (after.process - before.process) / lasted,
    mainThread: (after.mainThread - before.mainThread) / lasted,
  }
}

/** Counts and clocks so far; times in s. */
async function read(page: Page, session: CDPSession): Promise<Spell & { readonly at: number }> {
  const { metrics } = await session.send('Performance.getMetrics')
  const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN
  const counts = await page.evaluate<{ flushes: number; frames: number }>('window.counts')
  return {
    ...counts,
    process: valueOf('ProcessTime'),
    mainThread: valueOf('ThreadTime'),
    at: valueOf('Timestamp'),
  }
}
