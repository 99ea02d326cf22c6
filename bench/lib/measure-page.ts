import type { Browser, CDPSession, Page } from 'playwright-core'

/** Activity of a page during a sample. */
export interface PageUsage {
  /** Vue flushes with a change, and display frames, counted by the page in `window.counts`. */
  readonly flushes: number
  readonly frames: number
  /** Share of a core by CPU time: all threads of the page's process, painting included. */
  readonly process: number
  /** Share of a core by CPU time: the main thread. */
  readonly mainThread: number
  /** The text of the page at the end. */
  readonly text: string
}

/** Time for resources loaded after the first paint, ms. */
const SETTLE_TIME = 4_000
const WARM_UP_TIME = 1_000
const SAMPLE_TIME = 4_000

/** Opens a page in its own browser context, calls `begin`, and takes a sample after the warm-up. */
export async function measurePage(browser: Browser, url: string, begin: () => void): Promise<PageUsage> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForFunction('window.counts !== undefined')
    await page.waitForTimeout(SETTLE_TIME)
    begin()
    await page.waitForTimeout(WARM_UP_TIME)
    return await sample(page)
  } finally {
    await context.close()
  }
}

async function sample(page: Page): Promise<PageUsage> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const before = await read(page, session)
  await page.waitForTimeout(SAMPLE_TIME)
  const after = await read(page, session)
  const seconds = after.at - before.at
  return {
    flushes: after.flushes - before.flushes,
    frames: after.frames - before.frames,
    process: (after.process - before.process) / seconds,
    mainThread: (after.mainThread - before.mainThread) / seconds,
    text: after.text,
  }
}

/** Current counts and clocks; times in s. */
async function read(page: Page, session: CDPSession): Promise<PageUsage & { readonly at: number }> {
  const { metrics } = await session.send('Performance.getMetrics')
  const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN
  const counts = await page.evaluate<{ flushes: number; frames: number }>('window.counts')
  return {
    ...counts,
    text: await page.evaluate<string>('document.body.textContent'),
    process: valueOf('ProcessTime'),
    mainThread: valueOf('ThreadTime'),
    at: valueOf('Timestamp'),
  }
}
