import type { Page } from 'playwright-core'
import { createDevnode, type Devnode } from '../src/devnode/index.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { read, serveTabs, type Tabs, type TabsOptions } from './lib/open-tabs.js'
import { percentile } from './lib/percentile.js'
import type { BenchRow } from './row.js'

const TABS = 5
const ROUNDS = 10
/** Ms between blocks. */
const INTERVAL = 100
/** Ms. */
const LIMIT = 2_500

/** The tab that started the shared worker crashes: until the others receive notifications again. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow([], missing)]
  const browser = await openBrowser()
  const devnode = await createDevnode({ accounts: 1, blockInterval: INTERVAL })
  const page = await serveTabs(browser, [devnode.accounts[0]?.address ?? ''])
  const options: TabsOptions = { node: devnode.urls.borsh, network: 'simnet', connection: 'shared' }
  try {
    const crashes: Crash[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const tabs = await page.openTabs(options)
      crashes.push(...(await crash(tabs, devnode)))
      await tabs.close()
    }
    return [toRow(crashes)]
  } finally {
    await browser.close()
    page.close()
    await devnode.close()
  }
}

/** What another tab has noticed of a crash. */
interface Crash {
  /** The longest time between two notifications. */
  readonly ms: number
  /** Accepted transactions that it has not, or not once. */
  readonly missing: number
}

async function crash(tabs: Tabs, devnode: Devnode): Promise<readonly Crash[]> {
  const first = await tabs.open()
  const others: Page[] = []
  for (let tab = 1; tab < TABS; tab++) others.push(await tabs.open())
  for (const tab of others) await tab.waitForFunction('window.accepted.length > 0')
  await Promise.all(others.map((tab) => tab.evaluate('resetPauses()')))
  const connections = await Promise.all(others.map((tab) => read(tab, 'connections')))
  const crashed = new Promise((done) => first.once('crash', done))
  void first.goto('chrome://crash').catch(() => undefined) // it never settles
  await crashed
  for (const [at, tab] of others.entries()) await tab.waitForFunction(`window.connections > ${connections[at] ?? 0}`)
  const scores = await Promise.all(others.map((tab) => read(tab, 'scores')))
  for (const [at, tab] of others.entries()) await tab.waitForFunction(`window.scores > ${(scores[at] ?? 0) + 5}`)
  return Promise.all(others.map((tab) => toCrash(tab, devnode)))
}

/** All that the chain has accepted from the first to the last transaction of the tab is in the tab, once. */
async function toCrash(tab: Page, devnode: Devnode): Promise<Crash> {
  const [ms, accepted] = [await read(tab, 'longestPause'), await read(tab, 'accepted')]
  const all = devnode.expected.accepted().flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds)
  const [from, to] = [all.indexOf(accepted[0] ?? ''), all.indexOf(accepted.at(-1) ?? '')]
  const expected = all.slice(from, to + 1)
  const missing = expected.filter((id, at) => accepted[at] !== id).length
  return { ms, missing: missing + Math.abs(accepted.length - expected.length) }
}

function toRow(crashes: readonly Crash[], missingBrowser?: string): BenchRow {
  const times = crashes.map(({ ms }) => ms)
  const missing = crashes.reduce((sum, crash) => sum + crash.missing, 0)
  const p95 = percentile(times, 0.95)
  return {
    what: `a crash of the tab that started the shared worker, ${TABS} tabs of Chromium, until the others receive notifications again, p95`,
    against: `its limit, ${LIMIT / 1_000} s`,
    ratio: p95 / LIMIT,
    goal: '≤ 1 ×, no event lost',
    met: p95 <= LIMIT && missing === 0,
    detail:
      missingBrowser ??
      `${(p95 / 1_000).toFixed(2)} s, median ${(percentile(times, 0.5) / 1_000).toFixed(2)} s of ${times.length} tabs in ${ROUNDS} crashes, ${missing} lost`,
  }
}
