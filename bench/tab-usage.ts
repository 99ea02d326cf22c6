import type { Browser, Page } from 'playwright-core'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { browserUsage, type BrowserUsage } from './lib/browser-usage.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import { read, serveTabs, type TabsOptions } from './lib/open-tabs.js'
import type { BenchRow } from './row.js'
import { busyChain } from './wire/busy-chain.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { startStubServer } from './wire/stub-server.js'
import { addressesOf, utxos } from './wire/utxos.js'

const TABS = 5
const UTXOS = 100_000
const ROUNDS = 3
/** Ms between two notifications, half of which are chain blocks: four a second. */
const [INTERVAL, EVERY, PAYMENTS] = [125, 2, 10]
/** Ms. */
const [SETTLE_TIME, SAMPLE_TIME] = [5_000, 10_000]
/** Share of a core, and MiB. */
const [CPU_LIMIT, MEMORY_LIMIT] = [0.08, 540]

/** Processor time and memory of Chromium with five tabs, each with 100,000 UTXOs. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [{ ...cpuRow(Number.NaN, Number.NaN), detail: missing }]
  const entries = utxos(UTXOS)
  const measure = (connection: TabsOptions['connection']): Promise<BrowserUsage> =>
    inBrowser(async (browser) => {
      const node = await startStubServer(createBorshCodec(), {
        responses: { ...HANDSHAKE_RESPONSES, getUtxosByAddresses: { entries } },
        ...busyChain(EVERY, PAYMENTS, UTXOS),
      })
      const page = await serveTabs(browser, addressesOf(entries))
      try {
        const tabs = await page.openTabs({ node: node.url, network: 'testnet-10', connection })
        const opened: Page[] = []
        for (let tab = 0; tab < TABS; tab++) opened.push(await tabs.open())
        node.stream(INTERVAL)
        await pause(SETTLE_TIME)
        const before = await browserUsage(browser)
        const from = performance.now()
        await pause(SAMPLE_TIME)
        const after = await browserUsage(browser)
        const seconds = (performance.now() - from) / 1_000
        for (const tab of opened) if ((await read(tab, 'accepted')).length === 0) throw new Error('A tab has no block')
        return { cpu: (after.cpu - before.cpu) / seconds, memory: after.memory }
      } finally {
        page.close()
        node.close()
      }
    })
  const [shared, own]: [BrowserUsage[], BrowserUsage[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    shared.push(await measure('shared'))
    own.push(await measure('own'))
  }
  const medianOf = (all: readonly BrowserUsage[], key: keyof BrowserUsage): number => median(all.map((one) => one[key]))
  return [
    cpuRow(medianOf(shared, 'cpu'), medianOf(own, 'cpu')),
    memoryRow(medianOf(shared, 'memory'), medianOf(own, 'memory')),
  ]
}

/** A browser of its own: memory of an earlier round is not counted. */
async function inBrowser<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await openBrowser()
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const WHAT = `of Chromium, all processes, with ${TABS} tabs of ${UTXOS.toLocaleString('en')} UTXOs each, 4 blocks a second`
const AGAINST = 'the same tabs with a socket each'

const cpuRow = (shared: number, own: number): BenchRow => ({
  what: `processor time ${WHAT}`,
  against: AGAINST,
  ratio: shared / own,
  goal: `≤ ${100 * CPU_LIMIT} % of a core`,
  met: shared <= CPU_LIMIT,
  detail: `${(100 * shared).toFixed(1)} against ${(100 * own).toFixed(1)} % of a core, median of ${ROUNDS}`,
})

const memoryRow = (shared: number, own: number): BenchRow => ({
  what: `memory ${WHAT}`,
  against: AGAINST,
  ratio: shared / own,
  goal: `≤ ${MEMORY_LIMIT} MiB`,
  met: shared <= MEMORY_LIMIT,
  detail: `${shared.toFixed(0)} against ${own.toFixed(0)} MiB, pages of several processes divided among them, median of ${ROUNDS}`,
})
