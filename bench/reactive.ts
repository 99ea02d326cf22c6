import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import type { NodeNotification } from '../src/node/messages/records.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { servePage } from '../test/setup/built-page.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import type { BenchRow } from './row.js'
import { CHAIN_ANSWERS, chainBegins, chainBlock } from './wire/chain-blocks.js'
import { addressesOf, coins } from './wire/coins.js'
import { GREETING } from './wire/greeting.js'
import { startScratchServer } from './wire/scratch-server.js'

/** Between two notifications, ms. Half of them are chain blocks, so that 10,000 ids come in a second. */
const INTERVAL = 10
const IDS = 200
const SECONDS = 5
const LIMIT = 0.05

const HELD = coins(1_000)
const FRESH = coins(1_001).slice(-1)

/**
 * Three composables on one page, each shown, and every flush of Vue's that shows something new counted. Beside them stands
 * a line that the page can change by itself in every frame, without us.
 */
const pageOf = (url: string): string => `
  import { createApp, h, watch } from 'vue'
  import { VueChain, useRpc, useTransactionListener, useUtxo } from ${JSON.stringify(resolve('src/index.ts'))}
  window.counts = { flushes: 0, frames: 0 }
  const line = document.createElement('p')
  const count = () => {
    window.counts.frames++
    if (window.paints) line.textContent = String(performance.now())
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  const App = {
    setup() {
      const { virtualDaaScore } = useRpc()
      const { transactions } = useTransactionListener()
      const { balance } = useUtxo(${JSON.stringify(addressesOf(HELD))})
      watch([virtualDaaScore, transactions, balance], () => { window.counts.flushes++ }, { flush: 'post' })
      return () => h('p', [String(virtualDaaScore.value), ' ', transactions.value[0], ' ', String(balance.value.mature)])
    },
  }
  document.body.append(document.createElement('main'), line)
  createApp(App).use(VueChain, { network: 'testnet-10', url: ${JSON.stringify(url)} }).mount('main')
`

/** 10,000 accepted ids and 100 notifications a second into three composables, in Chromium. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow('in Chromium', '–', NaN, NaN, missing)]
  const server = await startScratchServer(createBorshCodec(), {
    answers: { ...GREETING, ...CHAIN_ANSWERS, getUtxosByAddresses: { entries: HELD } },
    notifications: notifications(),
  })
  const page = await servePage(pageOf(server.url))
  const browser = await openBrowser()
  try {
    const tab = await browser.newPage()
    await tab.goto(page.url)
    await tab.waitForFunction('window.counts.flushes > 0')
    await tab.waitForTimeout(SETTLING)
    const atRest = await measure(tab)
    await tab.evaluate('window.paints = true')
    const painting = await measure(tab)
    await tab.evaluate('window.paints = false')
    server.stream(INTERVAL)
    await tab.waitForTimeout(1_000)
    return rowsOf({ atRest, painting, told: await measure(tab) })
  } finally {
    await browser.close()
    page.close()
    server.close()
  }
}

/** Until the WASM module has been loaded behind the page, ms. */
const SETTLING = 4_000

/** Four notifications a turn: two chain blocks, a score, and a coin that comes or goes. */
function notifications(): NodeNotification[] {
  const turns = Array.from({ length: 600 }, (_, at): NodeNotification[] => [
    chainBlock(2 * at + 1, IDS),
    { type: 'virtual-daa-score-changed', data: { virtualDaaScore: 91_000_001n + BigInt(at) } },
    chainBlock(2 * at + 2, IDS),
    { type: 'utxos-changed', data: at % 2 === 0 ? { added: FRESH, removed: [] } : { added: [], removed: FRESH } },
  ])
  return [chainBegins, ...turns.flat()]
}

/** What a page did in a while. */
interface Spell {
  readonly flushes: number
  readonly frames: number
  /** The share of a core that its process took. */
  readonly busy: number
}

async function measure(tab: Page): Promise<Spell> {
  const session = await tab.context().newCDPSession(tab)
  await session.send('Performance.enable')
  const read = async (): Promise<Readonly<Record<'flushes' | 'frames' | 'busy' | 'at', number>>> => {
    const counts = await tab.evaluate<{ flushes: number; frames: number }>('window.counts')
    const { metrics } = await session.send('Performance.getMetrics')
    const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN
    return { ...counts, busy: valueOf('ProcessTime'), at: valueOf('Timestamp') }
  }
  const before = await read()
  await tab.waitForTimeout(SECONDS * 1_000)
  const after = await read()
  await session.detach()
  return {
    flushes: after.flushes - before.flushes,
    frames: after.frames - before.frames,
    busy: (after.busy - before.busy) / (after.at - before.at),
  }
}

interface Spells {
  readonly atRest: Spell
  /** One line changes in every frame, which no library is needed for. */
  readonly painting: Spell
  readonly told: Spell
}

function rowsOf({ atRest, painting, told }: Spells): BenchRow[] {
  if (told.flushes === 0) throw new Error('Nothing was shown')
  const flushes = told.flushes / told.frames
  const shareRow = (than: string, peer: Spell): BenchRow => {
    const busy = told.busy - peer.busy
    return toRow(`share of a core, beyond ${than}`, `its limit, ${toPercent(LIMIT)}`, busy / LIMIT, 1, toPercent(busy))
  }
  return [
    toRow('reactive flushes a frame', 'the frames of the page', flushes, 1, `${told.flushes} in ${told.frames} frames`),
    shareRow('that of the page at rest', atRest),
    shareRow('that of changing one line a frame without us', painting),
  ]
}

const toPercent = (share: number): string => `${(100 * share).toFixed(1)} %`

const toRow = (what: string, against: string, ratio: number, limit: number, detail: string): BenchRow => ({
  what: `10,000 accepted ids and 100 notifications a second into three composables, ${what}`,
  against,
  ratio,
  goal: `≤ ${limit} ×`,
  met: ratio <= limit,
  detail,
})
