import { addressParam, checkAddress } from '../address.js'
import { integer, orNull, withDefault } from '../http/reader.js'
import { ok, refuse } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { dayOrMonth, hasData, periodAge, startOfHour, toPeriod } from '../period.js'
import { holdersOf, hourlyBalances } from '../balances.js'

const HOUR = 3_600_000n
const DAY = 86_400_000n
const TEN_MINUTES = 600_000n

const sample = { before: withDefault(orNull(integer), null), limit: withDefault(integer, 1n) }

/** Rankings and balance histories by the hour. Rankings have one sample, that of the current hour. */
export const rankingRoutes: readonly Route[] = [
  get('/addresses/top', {
    query: sample,
    strict: true,
    handle({ query: { before, limit } }, indexer) {
      if (limit !== 1n) throw refuse(400, "'limit' must be in [1]")
      if (before !== null && before % HOUR !== 0n) throw refuse(400, "'before' must be aligned to a full hour")
      const ranking = holdersOf(indexer)
        .slice(0, 1_000)
        .map(({ address, amount }, rank) => ({ rank, address, amount }))
      return ok(
        isCurrentSample(indexer, before) ? [{ timestamp: startOfHour(indexer.now), ranking }] : [],
        sampleAge(indexer, before, 60),
      )
    },
  }),

  get('/addresses/distribution', {
    query: sample,
    strict: true,
    handle({ query: { before, limit } }, indexer) {
      if (limit !== 1n && limit !== 24n) throw refuse(400, "'limit' must be in [1, 24]")
      if (before !== null && limit === 24n && before % DAY !== 0n)
        throw refuse(400, "'before' must be aligned to start of day")
      if (before !== null && before % HOUR !== 0n) throw refuse(400, "'before' must be aligned to start of hour")
      const tiers = { timestamp: startOfHour(indexer.now), tiers: tiersOf(indexer) }
      return ok(isCurrentSample(indexer, before) ? [tiers] : [], sampleAge(indexer, before, 180))
    },
  }),

  get('/addresses/{kaspaAddress}/balance/{day_or_month}', {
    pathParams: (indexer) => ({ ...addressParam(indexer), day_or_month: dayOrMonth }),
    strict: true,
    handle({ path }, indexer) {
      const address = checkAddress(path.kaspaAddress)
      const period = toPeriod(path.day_or_month)
      const kind = path.day_or_month.length === 7 ? 'month' : 'day'
      if (period === undefined) throw refuse(400, `Invalid ${kind} format: ${path.day_or_month}`)
      const isRanked = holdersOf(indexer).some((holder) => holder.address === address)
      const hasHistory = isRanked && hasData(period, indexer.now)
      return ok(hasHistory ? hourlyBalances(indexer, address, period) : [], periodAge(period, indexer.now))
    },
  }),
]

/** Whether the sample of the current hour is the newest before that time, which must not be in the future. */
function isCurrentSample({ now }: Indexer, before: bigint | null): boolean {
  if (before === null) return true
  return before > BigInt(startOfHour(now)) && before <= BigInt(now) + TEN_MINUTES
}

const sampleAge = ({ now }: Indexer, before: bigint | null, currentAge: number): number =>
  before !== null && BigInt(now) - before > HOUR ? 86_400 : currentAge

/** Tier 0: below 1 KAS; then one tier for each power of ten. */
function tiersOf(indexer: Indexer) {
  const tiers = new Map<number, { count: number; amount: number }>()
  for (const { amount } of holdersOf(indexer)) {
    const tier = amount < 1 ? 0 : String(amount).length
    const { count = 0, amount: sum = 0 } = tiers.get(tier) ?? {}
    tiers.set(tier, { count: count + 1, amount: sum + amount })
  }
  return [...tiers].sort(([left], [right]) => left - right).map(([tier, found]) => ({ tier, ...found }))
}
