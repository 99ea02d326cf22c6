import type { Browser } from 'playwright-core'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { servePage } from '../test/setup/built-page.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import { measurePage, type PageUsage } from './lib/measure-page.js'
import { byHand, composables, idle } from './pages/live.js'
import type { BenchRow } from './row.js'
import { INITIAL_UTXOS, busyChain, type BusyChain } from './wire/busy-chain.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { startStubServer } from './wire/stub-server.js'

/** Interval of notifications, ms. */
const INTERVAL = 10
const ROUNDS = 3
const LIMIT = 0.04

/** Chain blocks a second: as many as the network has, and as many as fit between the other notifications. */
const [NETWORK_RATE, HIGH_RATE] = [10, 50]
const NOTIFICATIONS = 1_000 / INTERVAL
const IDS = 10_000

/** 10,000 accepted ids and 100 notifications a second into three composables, in Chromium. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow(NETWORK_RATE, 'in Chromium', '–', NaN, NaN, missing)]
  const browser = await openBrowser()
  try {
    const rows: BenchRow[] = []
    for (const rate of [NETWORK_RATE, HIGH_RATE]) rows.push(...rowsOf(rate, await measure(browser, rate)))
    return rows
  } finally {
    await browser.close()
  }
}

async function measure(browser: Browser, rate: number): Promise<Round[]> {
  const chain = busyChain(NOTIFICATIONS / rate, IDS / rate)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      idle: await usageOf(browser, idle, chain),
      byHand: await usageOf(browser, byHand, chain),
      ours: await usageOf(browser, composables, chain),
    })
  }
  return rounds
}

/** Three pages measured in sequence, so that load on the machine affects all of them. */
type Round = Readonly<Record<'idle' | 'byHand' | 'ours', PageUsage>>

/** Usage of a new page while its socket receives the notifications of a busy chain. */
async function usageOf(browser: Browser, code: string, chain: BusyChain): Promise<PageUsage> {
  const server = await startStubServer(createBorshCodec(), {
    responses: { ...HANDSHAKE_RESPONSES, getUtxosByAddresses: { entries: INITIAL_UTXOS } },
    ...chain,
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

function rowsOf(rate: number, rounds: readonly Round[]): BenchRow[] {
  const medianOf = (read: (round: Round) => number): number => median(rounds.map(read))
  const beyond = (peer: 'idle' | 'byHand', part: 'process' | 'mainThread'): number =>
    medianOf((round) => round.ours[part] - round[peer][part])
  const [ours, all] = [beyond('byHand', 'process'), beyond('idle', 'process')]
  const limit = `its limit, ${toPercent(LIMIT)}`
  return [
    toRow(
      rate,
      'reactive flushes a frame',
      'the frames of the page',
      medianOf(({ ours }) => ours.flushes / ours.frames),
      1,
      `${medianOf(({ ours }) => ours.flushes)} in ${medianOf(({ ours }) => ours.frames)} frames, median of ${ROUNDS}`,
    ),
    toRow(
      rate,
      'share of a core added to a page that requests and receives the same frames by a bare socket and writes three values a frame by hand',
      limit,
      ours / LIMIT,
      1,
      `${toPercent(ours)}, ${toPercent(beyond('byHand', 'mainThread'))} on the main thread, median of ${ROUNDS}`,
    ),
    {
      ...toRow(
        rate,
        'share of a core added to an idle page, socket and painting without a GPU included',
        limit,
        all / LIMIT,
        1,
        `${toPercent(all)}, of which ${toPercent(all - ours)} without vue-chain, median of ${ROUNDS}`,
      ),
      goal: null, // most of it is the page's own
      met: true,
    },
  ]
}

const toPercent = (share: number): string => `${(100 * share).toFixed(1)} %`

const toRow = (
  rate: number,
  what: string,
  against: string,
  ratio: number,
  limit: number,
  detail: string,
): BenchRow => ({
  what: `10,000 accepted ids in ${rate} chain blocks, and ${NOTIFICATIONS} notifications a second into three composables, ${what}`,
  against,
  ratio,
  goal: `≤ ${limit} ×`,
  met: ratio <= limit,
  detail,
})
