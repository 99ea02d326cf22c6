import { BLOCKS_PER_SECOND } from '../../ledger/params.js'
import { boolean, orNull, text, withDefault } from '../http/reader.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import type { ChainEntry } from '../chain-index.js'
import { dayOrMonth, hasData, periodAge, toPeriod } from '../period.js'

const STEPS = { '15m': 900_000, '1h': 3_600_000, '3h': 10_800_000, '1d': 86_400_000, '7d': 604_800_000 }

/** Hash rates: two hashes a unit of difficulty, ten blocks a second. */
export const hashrateRoutes: readonly Route[] = [
  get('/info/hashrate', {
    query: { stringOnly: withDefault(boolean, false) },
    handle({ query }, indexer) {
      const hashrate = hashesAt(indexer.call('getBlockDagInfo', {}).difficulty) / 1e12
      return ok(query.stringOnly ? hashrate.toFixed(1) : { hashrate })
    },
  }),

  get('/info/hashrate/max', {
    handle(_, { chainIndex }) {
      const [first, ...others] = chainIndex.chain()
      if (first === undefined) throw internalError()
      const top = others.reduce((best, entry) => (entry.difficulty > best.difficulty ? entry : best), first)
      return ok({ hashrate: hashesAt(top.difficulty) / 1e12, blockheader: toPeak(top) })
    },
  }),

  get('/info/hashrate/history', {
    query: { resolution: withDefault(orNull(text), null) },
    handle: ({ query }, indexer) =>
      ok(samplesOf(indexer, stepOf(query.resolution, ['15m', '1h', '3h', '1d', '7d'], '1h')), 3_600),
  }),

  get('/info/hashrate/history/{day_or_month}', {
    pathParams: { day_or_month: dayOrMonth },
    query: { resolution: withDefault(orNull(text), null) },
    handle({ path, query }, indexer) {
      const step = stepOf(query.resolution, ['15m', '1h'], '15m')
      const period = toPeriod(path.day_or_month)
      if (period === undefined) throw internalError()
      const samples = hasData(period, indexer.now) ? samplesOf(indexer, step) : []
      const inPeriod = samples.filter(({ timestamp }) => timestamp >= period.start && timestamp < period.end)
      return ok(inPeriod, periodAge(period, indexer.now))
    },
  }),
]

const hashesAt = (difficulty: number): number => difficulty * 2 * BLOCKS_PER_SECOND

function stepOf(name: string | null, allowed: readonly (keyof typeof STEPS)[], fallback: keyof typeof STEPS): number {
  const found = name === null ? fallback : allowed.find((step) => step === name)
  if (found !== undefined) return STEPS[found]
  throw refuse(400, `Invalid resolution, allowed: [None, ${allowed.map((step) => `'${step}'`).join(', ')}]`)
}

/**
 * The first chain block of each interval, newest first. Genesis is skipped because it is years older than the next
 * block. Difficulties are truncated to integers; an interval longer than 15 minutes aggregates several samples and has
 * no bits.
 */
function samplesOf({ chainIndex }: Indexer, step: number) {
  const firsts = new Map<number, ChainEntry>()
  for (const entry of chainIndex.chain().slice(1)) {
    const interval = Math.trunc(entry.timestamp / step)
    if (!firsts.has(interval)) firsts.set(interval, entry)
  }
  return [...firsts.values()].reverse().map(({ daaScore, blueScore, timestamp, bits, difficulty }) => ({
    daaScore,
    blueScore,
    timestamp,
    date_time: new Date(timestamp).toISOString().replace('Z', '+00:00'),
    bits: step === STEPS['15m'] ? bits : null,
    difficulty: Math.trunc(difficulty),
    hashrate_kh: Math.trunc(hashesAt(Math.trunc(difficulty)) / 1000),
  }))
}

/** The header fields that the server returns; the time has no time zone. */
const toPeak = ({ hash, timestamp, difficulty, daaScore, blueScore }: ChainEntry) => ({
  hash,
  timestamp: new Date(timestamp).toISOString().replace('Z', '000'),
  difficulty: Math.trunc(difficulty),
  daaScore: String(daaScore),
  blueScore: String(blueScore),
})
