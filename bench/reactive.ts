import type { Browser } from 'playwright-core'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { servePage } from '../test/setup/built-page.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import { measurePage, type PageUsage } from './lib/measure-page.js'
import { byHand, composables, idle } from './pages/live.js'
import type { BenchRow } from './row.js'
import { INITIAL_UTXOS, busyChain } from './wire/busy-chain.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { startStubServer } from './wire/stub-server.js'

/** Interval of notifications, ms. Half of them are chain blocks that accept 200 payments: 10,000 ids a second. */
const INTERVAL = 10
const BUSY_CHAIN = /*#__PURE__*/ busyChain()
const ROUNDS = 3
const LIMIT = 0.04

/** 10,000 accepted ids and 100 notifications a second into three composables, in Chromium. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow('in Chromium', '–', NaN, NaN, missing)]
  const browser = await openBrowser()
  try {
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        idle: await usageOf(browser, idle),
        byHand: await usageOf(browser, byHand),
        ours: await usageOf(browser, composables),
      })
    }
    return rowsOf(rounds)
  } finally {
    await browser.close()
  }
}

/** Three pages measured in sequence, so that load on the machine affects all of them. */
type Round = Readonly<Record<'idle' | 'byHand' | 'ours', PageUsage>>

/** Usage of a new page while its socket receives the notifications of a busy chain. */
async function usageOf(browser: Browser, code: string): Promise<PageUsage> {
  const server = await startStubServer(createBorshCodec(), {
    responses: { ...HANDSHAKE_RESPONSES, getUtxosByAddresses: { entries: INITIAL_UTXOS } },
    ...BUSY_CHAIN,
  })
  const page = await servePage(code)
  try {
    const usage = await measurePage(browser, `${page.url}#${server.url}`, () => server.stream(INTERVAL))
    if (code !== idle && !/[0-9a-f]{64}/.test(usage.text)) throw new Error(`The page shows no id: ${usage.text}`)
    return usage
  } finally {
    page.close()
    server.close()
  }
}

function rowsOf(rounds: readonly Round[]): BenchRow[] {
  const medianOf = (read: (round: Round) => number): number => median(rounds.map(read))
  const beyond = (peer: 'idle' | 'byHand', part: 'process' | 'mainThread'): number =>
    medianOf((round) => round.ours[part] - round[peer][part])
  const [ours, all] = [beyond('byHand', 'process'), beyond('idle', 'process')]
  const limit = `its limit, ${toPercent(LIMIT)}`
  return [
    toRow(
      'reactive flushes a frame',
      'the frames of the page',
      medianOf(({ ours }) => ours.flushes / ours.frames),
      1,
      `${medianOf(({ ours }) => ours.flushes)} in ${medianOf(({ ours }) => ours.frames)} frames, median of ${ROUNDS}`,
    ),
    toRow(
      'share of a core added to a page that requests and receives the same frames by a bare socket and writes three values a frame by hand',
      limit,
      ours / LIMIT,
      1,
      `${toPercent(ours)}, ${toPercent(beyond('byHand', 'mainThread'))} on the main thread, median of ${ROUNDS}`,
    ),
    toRow(
      'share of a core added to an idle page, socket and painting without a GPU included',
      limit,
      all / LIMIT,
      1,
      `${toPercent(all)}, of which ${toPercent(all - ours)} without us, median of ${ROUNDS}`,
    ),
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
