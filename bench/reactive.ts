import type { Browser } from 'playwright-core'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { servePage } from '../test/setup/built-page.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import { watchPage, type Spell } from './lib/spell.js'
import { byHand, composables, idle } from './pages/live.js'
import type { BenchRow } from './row.js'
import { HELD, busyChain } from './wire/busy-chain.js'
import { CHAIN_ANSWERS } from './wire/chain-blocks.js'
import { GREETING } from './wire/greeting.js'
import { startScratchServer } from './wire/scratch-server.js'

/** Between two notifications, ms. Half of them are chain blocks of 200 ids, so that 10,000 ids come in a second. */
const INTERVAL = 10
const ROUNDS = 3
const LIMIT = 0.05

/** 10,000 accepted ids and 100 notifications a second into three composables, in Chromium. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow('in Chromium', '–', NaN, NaN, missing)]
  const browser = await openBrowser()
  try {
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        idle: await spellOf(browser, idle),
        byHand: await spellOf(browser, byHand),
        ours: await spellOf(browser, composables),
      })
    }
    return rowsOf(rounds)
  } finally {
    await browser.close()
  }
}

/** Three pages right after one another: what slows the machine down slows all of them. */
type Round = Readonly<Record<'idle' | 'byHand' | 'ours', Spell>>

/** What a fresh page does while its socket is told of a busy chain. */
async function spellOf(browser: Browser, code: string): Promise<Spell> {
  const server = await startScratchServer(createBorshCodec(), {
    answers: { ...GREETING, ...CHAIN_ANSWERS, getUtxosByAddresses: { entries: HELD } },
    notifications: busyChain(),
  })
  const page = await servePage(code)
  try {
    return await watchPage(browser, `${page.url}#${server.url}`, () => server.stream(INTERVAL))
  } finally {
    page.close()
    server.close()
  }
}

function rowsOf(rounds: readonly Round[]): BenchRow[] {
  const middle = (read: (round: Round) => number): number => median(rounds.map(read))
  const beyond = (peer: 'idle' | 'byHand', part: 'process' | 'mainThread'): number =>
    middle((round) => round.ours[part] - round[peer][part])
  const [ours, all] = [beyond('byHand', 'process'), beyond('idle', 'process')]
  const limit = `its limit, ${toPercent(LIMIT)}`
  return [
    toRow(
      'reactive flushes a frame',
      'the frames of the page',
      middle(({ ours }) => ours.flushes / ours.frames),
      1,
      `${middle(({ ours }) => ours.flushes)} in ${middle(({ ours }) => ours.frames)} frames, median of ${ROUNDS}`,
    ),
    toRow(
      'share of a core that is ours: beyond a page that takes the same frames from a bare socket and writes three values a frame by hand',
      limit,
      ours / LIMIT,
      1,
      `${toPercent(ours)}, ${toPercent(beyond('byHand', 'mainThread'))} on the main thread, median of ${ROUNDS}`,
    ),
    toRow(
      'share of a core in all, socket and painting without a GPU included: beyond a page at rest',
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
