import { isCoinbase } from '../../../model/mass.js'
import { cacheFor, internalError, ok, refuse } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer, ChainEntry } from '../indexer.js'
import { dayOrMonth, hasData, periodAge, startOfHour, toDateTime, toPeriod, type Period } from '../period.js'
import { addressesIn } from './rankings.js'
import { BLOCKS_PER_SECOND } from '../../ledger/params.js'
import { boolean, orNull, text, withDefault } from '../http/reader.js'

/** Counts of transactions and active addresses, by the hour and in total. */
export const countRoutes: readonly Route[] = [
  get('/transactions/count/', {
    handle(_, indexer) {
      const hours = hoursOf(indexer, indexer.chainIndex.chain().slice(1))
      const newest = hours.at(-1)
      if (newest === undefined) throw refuse(404, 'No transaction counts available')
      const sum = (kind: 'coinbase' | 'regular') => hours.reduce((total, hour) => total + hour[kind], 0)
      return ok({ ...toTime(newest.timestamp), coinbase: sum('coinbase'), regular: sum('regular') }, 300)
    },
  }),

  get('/transactions/count/{day_or_month}', {
    pathParams: { day_or_month: dayOrMonth },
    handle({ path }, indexer) {
      const period = periodOf(path.day_or_month)
      const hours = hoursOf(indexer, entriesOf(indexer, period))
      return ok(
        hours.map(({ timestamp, coinbase, regular }) => ({ ...toTime(timestamp), coinbase, regular })),
        periodAge(period, indexer.now),
      )
    },
  }),

  get('/addresses/active/count/', {
    handle(_, indexer) {
      const count = addressesIn(indexer, indexer.chainIndex.chain().slice(1)).size
      const cache = { 'cache-control': `${cacheFor(600)['cache-control'] ?? ''}, stale-while-revalidate=300` }
      return ok({ ...toTime(indexer.now), count }, undefined, cache)
    },
  }),

  get('/addresses/active/count/{day_or_month}', {
    pathParams: { day_or_month: dayOrMonth },
    handle({ path }, indexer) {
      const period = periodOf(path.day_or_month)
      const hours = byHour(entriesOf(indexer, period))
      const counts = hours.map(([timestamp, entries]) => ({
        ...toTime(timestamp),
        count: addressesIn(indexer, entries).size,
      }))
      return ok(counts, periodAge(period, indexer.now))
    },
  }),
]

/** A date that does not exist makes the server fail here. */
function periodOf(text: string): Period {
  const period = toPeriod(text)
  if (period === undefined) throw internalError()
  return period
}

function entriesOf({ chainIndex, now }: Indexer, period: Period): readonly ChainEntry[] {
  if (!hasData(period, now)) return []
  return chainIndex.chain().filter(({ timestamp }) => timestamp >= period.start && timestamp < period.end)
}

const toTime = (timestamp: number) => ({ timestamp, dateTime: toDateTime(timestamp) })

/** Chain blocks grouped by hour, oldest first. */
function byHour(entries: readonly ChainEntry[]): readonly (readonly [number, readonly ChainEntry[]])[] {
  const hours = new Map<number, ChainEntry[]>()
  for (const entry of entries) {
    const hour = startOfHour(entry.timestamp)
    hours.set(hour, [...(hours.get(hour) ?? []), entry])
  }
  return [...hours]
}

function hoursOf(indexer: Indexer, entries: readonly ChainEntry[]) {
  return byHour(entries).map(([timestamp, inHour]) => {
    const found = inHour.flatMap(({ transactionIds }) => transactionIds.flatMap((id) => indexer.transaction(id) ?? []))
    const coinbase = found.filter(({ transaction }) => isCoinbase(transaction)).length
    return { timestamp, coinbase, regular: found.length - coinbase }
  })
}

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
