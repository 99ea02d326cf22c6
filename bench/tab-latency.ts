import type { Page } from 'playwright-core'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { read, serveTabs, type TabsOptions } from './lib/open-tabs.js'
import { percentile } from './lib/percentile.js'
import type { BenchRow } from './row.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { servedChain } from './wire/served-chain.js'
import { startStubServer } from './wire/stub-server.js'
import { addressesOf, utxos } from './wire/utxos.js'

const TABS = 5
const ROUNDS = 3
/** Ms between two notifications, and how many of them each tab receives in a round. */
const [INTERVAL, NOTIFICATIONS] = [20, 300]
/** Ms, p95. */
const LIMIT = 2

const ENTRIES = utxos(1_000)

/** From the node's send of a notification to a subscriber in each of five tabs: by the worker, and by own sockets. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow([], [], missing)]
  const browser = await openBrowser()
  const page = await serveTabs(browser, addressesOf(ENTRIES))
  const measure = async (connection: TabsOptions['connection']): Promise<readonly number[]> => {
    const node = await startStubServer(createBorshCodec(), {
      responses: { ...HANDSHAKE_RESPONSES, getUtxosByAddresses: { entries: ENTRIES } },
      chain: servedChain(0, 1),
      notifications: [{ type: 'virtual-daa-score-changed', data: { virtualDaaScore: 0n } }],
    })
    const tabs = await page.openTabs({ node: node.url, network: 'testnet-10', connection })
    try {
      const opened: Page[] = []
      for (let tab = 0; tab < TABS; tab++) opened.push(await tabs.open())
      node.stamp(INTERVAL)
      for (const tab of opened) await tab.waitForFunction(`window.scores > ${WARM_UP + NOTIFICATIONS}`)
      const delays = await Promise.all(opened.map((tab) => read(tab, 'delays')))
      return delays.flatMap((all) => all.slice(WARM_UP, WARM_UP + NOTIFICATIONS))
    } finally {
      await tabs.close()
      node.close()
    }
  }
  try {
    const [shared, own]: number[][] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      own?.push(...(await measure('own')))
      shared?.push(...(await measure('shared')))
    }
    return [toRow(shared ?? [], own ?? [])]
  } finally {
    await browser.close()
    page.close()
  }
}

/** Notifications until code is compiled. */
const WARM_UP = 100

function toRow(shared: readonly number[], own: readonly number[], missing?: string): BenchRow {
  const addedAt = (part: number): number => percentile(shared, part) - percentile(own, part)
  const text = (part: number): string =>
    `${percentile(shared, part).toFixed(1)} against ${percentile(own, part).toFixed(1)} ms`
  return {
    what: `what the shared connection adds to the latency of a notification, ${TABS} tabs of Chromium, p95`,
    against: `its limit, ${LIMIT} ms`,
    ratio: addedAt(0.95) / LIMIT,
    goal: '≤ 1 ×',
    met: addedAt(0.95) <= LIMIT,
    detail:
      missing ??
      `${addedAt(0.95).toFixed(1)} ms: p95 ${text(0.95)} with own sockets, median ${text(0.5)}, of ${shared.length} each`,
  }
}
