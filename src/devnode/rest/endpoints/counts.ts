import { isCoinbase } from '../../../model/mass.js'
import { cacheFor, internalError, ok } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { dayOrMonth, hasData, periodAge, startOfHour, toDateTime, toPeriod, type Period } from '../period.js'
import { addressesIn } from '../balances.js'
import type { ChainEntry } from '../chain-index.js'
import { refuse } from '../http/reply.js'

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
