import { addressParam, checkAddress } from './addresses.js'
import { integer, orNull, withDefault } from '../http/reader.js'
import { ok, refuse } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer, ChainEntry } from '../indexer.js'
import { dayOrMonth, hasData, periodAge, startOfHour, toPeriod, HOUR, type Period } from '../period.js'
import { toAddress } from '../../../model/address.js'

const FULL_HOUR = 3_600_000n
const FULL_DAY = 86_400_000n
const TEN_MINUTES = 600_000n

const sample = { before: withDefault(orNull(integer), null), limit: withDefault(integer, 1n) }

/** Rankings and balance histories by the hour. Rankings have one sample, that of the current hour. */
export const rankingRoutes: readonly Route[] = [
  get('/addresses/top', {
    query: sample,
    strict: true,
    handle({ query: { before, limit } }, indexer) {
      if (limit !== 1n) throw refuse(400, "'limit' must be in [1]")
      if (before !== null && before % FULL_HOUR !== 0n) throw refuse(400, "'before' must be aligned to a full hour")
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
      if (before !== null && limit === 24n && before % FULL_DAY !== 0n)
        throw refuse(400, "'before' must be aligned to start of day")
      if (before !== null && before % FULL_HOUR !== 0n) throw refuse(400, "'before' must be aligned to start of hour")
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
  before !== null && BigInt(now) - before > FULL_HOUR ? 86_400 : currentAge

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

/** The balance of every address in whole KAS, the unit of the server's rankings, highest first. */
function holdersOf({ ledger }: Indexer): readonly { readonly address: string; readonly amount: number }[] {
  const balances = new Map<string, bigint>()
  for (const { address, amount } of ledger.expected.utxos()) {
    if (address !== undefined) balances.set(address, (balances.get(address) ?? 0n) + amount)
  }
  return [...balances]
    .map(([address, amount]) => ({ address, amount: toKas(amount) }))
    .sort((left, right) => right.amount - left.amount)
}

const toKas = (sompi: bigint): number => Number(sompi / 100_000_000n)

/**
 * The balance of an address at the end of each hour of a period since the first block, in whole KAS, newest first.
 * Computed backwards from the current balance.
 */
function hourlyBalances(indexer: Indexer, address: string, { start, end }: Period) {
  const changes = changesOf(indexer, address)
  const first = indexer.chainIndex.chain()[1]?.timestamp ?? indexer.now
  let balance = sum(indexer.ledger.expected.utxos([address]).map(({ amount }) => amount))
  const samples: { readonly timestamp: number; readonly amount: number }[] = []
  for (let hour = startOfHour(indexer.now); hour >= startOfHour(first) && hour >= start; hour -= HOUR) {
    while (changes[0] !== undefined && changes[0].time >= hour + HOUR) balance -= changes.shift()?.change ?? 0n
    if (hour < end) samples.push({ timestamp: hour, amount: toKas(balance) })
  }
  return samples
}

/** The changes of a balance by accepted transactions, with their times (ms), newest first. */
function changesOf(indexer: Indexer, address: string): { readonly time: number; readonly change: bigint }[] {
  const prefix = indexer.network.addressPrefix
  const changes = indexer.ledger.history.transactionIdsOf(address).flatMap((id) => {
    const found = indexer.transaction(id)
    const accepting = found?.acceptingBlockHash === undefined ? undefined : indexer.block(found.acceptingBlockHash)
    if (found === undefined || accepting === undefined) return []
    const received = found.transaction.outputs.filter((output) => toAddress(output.scriptPublicKey, prefix) === address)
    const sent = found.spent.filter((utxo) => utxo?.address === address)
    const change = sum(received.map(({ value }) => value)) - sum(sent.map((utxo) => utxo?.amount ?? 0n))
    return [{ time: Number(accepting.header.timestamp), change }]
  })
  return changes.sort((left, right) => right.time - left.time)
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** Every address in the inputs and outputs of the transactions that these chain blocks accepted. */
export function addressesIn(indexer: Indexer, entries: readonly ChainEntry[]): ReadonlySet<string> {
  const prefix = indexer.network.addressPrefix
  const found = entries.flatMap(({ transactionIds }) => transactionIds.flatMap((id) => indexer.transaction(id) ?? []))
  const scripts = found.flatMap(({ transaction, spent }) => [
    ...transaction.outputs.map(({ scriptPublicKey }) => scriptPublicKey),
    ...spent.flatMap((entry) => entry?.scriptPublicKey ?? []),
  ])
  return new Set(scripts.flatMap((script) => toAddress(script, prefix) ?? []))
}
