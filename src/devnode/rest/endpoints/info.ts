import { boolean, orNull, text as anyText, withDefault } from '../http/reader.js'
import { INTERNAL_ERROR, Refusal, ok, refuse, text } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { BLOCKS_PER_SECOND } from '../../ledger/params.js'

const SOMPI_PER_KAS = 100_000_000
const stringOnly = { stringOnly: withDefault(boolean, false) }

/** The network's tip, supply, rewards and fees, in the server's units. */
export const infoRoutes: readonly Route[] = [
  get('/info/virtual-chain-blue-score', { handle: (_, indexer) => ok({ blueScore: indexer.tip() }) }),
  get('/info/blockdag', { handle: (_, indexer) => ok(toDag(indexer)) }),
  get('/info/network', { handle: (_, indexer) => ok(toDag(indexer)) }),

  get('/info/coinsupply', {
    handle(_, indexer) {
      const { circulatingSompi } = indexer.call('getCoinSupply', {})
      return ok({ circulatingSupply: String(circulatingSompi), maxSupply: MAX_SUPPLY[kindOf(indexer)] })
    },
  }),
  get('/info/coinsupply/circulating', {
    query: { in_billion: withDefault(boolean, false) },
    handle: ({ query }, indexer) => text(supplyOf(indexer, query.in_billion)),
  }),
  get('/info/coinsupply/total', {
    query: { in_billion: withDefault(boolean, false) },
    handle: ({ query }, indexer) => text(supplyOf(indexer, query.in_billion)),
  }),

  get('/info/blockreward', {
    query: stringOnly,
    handle({ query }, indexer) {
      const blockreward = rewardAt(indexer.ledger.expected.virtualDaaScore())
      return ok(query.stringOnly ? blockreward.toFixed(2) : { blockreward })
    },
  }),
  get('/info/halving', {
    query: { field: withDefault(orNull(anyText), null) },
    handle({ query: { field } }, indexer) {
      const next = nextReduction(indexer.ledger.expected.virtualDaaScore(), indexer.now)
      if (field === 'nextHalvingTimestamp') return text(String(next.timestamp))
      if (field === 'nextHalvingDate') return text(next.date)
      if (field === 'nextHalvingAmount') return text(String(next.amount))
      return ok({
        nextHalvingTimestamp: Math.trunc(next.timestamp),
        nextHalvingDate: next.date,
        nextHalvingAmount: next.amount,
      })
    },
  }),

  get('/info/fee-estimate', {
    handle(_, indexer) {
      const { priorityBucket, normalBuckets, lowBuckets } = indexer.call('getFeeEstimate', {}).estimate
      return ok({
        priorityBucket: toBucket(priorityBucket),
        normalBuckets: normalBuckets.map(toBucket),
        lowBuckets: lowBuckets.map(toBucket),
      })
    },
  }),

  /** The server has prices on mainnet only; a devnode has none. */
  get('/info/marketcap', {
    query: stringOnly,
    handle() {
      throw new Refusal(INTERNAL_ERROR)
    },
  }),
  get('/info/price', {
    query: stringOnly,
    handle: ({ query }, indexer) => onMainnet(indexer, query.stringOnly ? text('0') : ok({ price: 0 })),
  }),
  get('/info/market-data', { handle: (_, indexer) => onMainnet(indexer, ok({})) }),
]

const MAX_SUPPLY = { mainnet: '2870403560500000000', other: '2900000000000000000' }

const kindOf = ({ network }: Indexer): keyof typeof MAX_SUPPLY => (network.id === 'mainnet' ? 'mainnet' : 'other')

function onMainnet<T>(indexer: Indexer, reply: T): T {
  if (kindOf(indexer) === 'mainnet') return reply
  throw refuse(503, 'Endpoint not available. This endpoint is only available in mainnet.')
}

function toDag(indexer: Indexer) {
  const dag = indexer.call('getBlockDagInfo', {})
  return {
    networkName: `kaspa-${dag.network}`,
    blockCount: String(dag.blockCount),
    headerCount: String(dag.headerCount),
    tipHashes: dag.tipHashes,
    difficulty: dag.difficulty,
    pastMedianTime: String(dag.pastMedianTime),
    virtualParentHashes: dag.virtualParentHashes,
    pruningPointHash: dag.pruningPointHash,
    virtualDaaScore: String(dag.virtualDaaScore),
    sink: dag.sink,
  }
}

/** The server computes with doubles here, and always writes a decimal point. */
function supplyOf(indexer: Indexer, inBillion: boolean): string {
  const kas = Number(indexer.call('getCoinSupply', {}).circulatingSompi) / SOMPI_PER_KAS
  if (inBillion) return String(Math.round(kas / 1e7) / 100)
  return Number.isInteger(kas) ? `${kas}.0` : String(kas)
}

/** The server truncates fee rates to integers. */
const toBucket = ({ feerate, estimatedSeconds }: { readonly feerate: number; readonly estimatedSeconds: number }) => ({
  feerate: Math.trunc(feerate),
  estimatedSeconds,
})

/**
 * The block reward by mainnet's emission schedule. The server uses it for every network, so that it is wrong for
 * others: a simnet pays 50 KAS a block, the server reports 7.3416192.
 */

/** Sompi a second in the first month of the schedule; each later month reduces it by a twelfth of a halving. */
const FIRST_MONTH = 44_000_000_000
const MONTHS_A_HALVING = 12

/** 30.4375 days. */
const SECONDS_A_MONTH = 2_629_800

/** DAA scores at which the schedule began (1 block a second), and the rate became 10 blocks a second. */
const SCHEDULE_START = 15_519_600
const TEN_BLOCKS_START = 110_165_000

/** Months of the schedule that have passed. The server assumes 10 blocks a second for the earlier scores, too. */
function monthAt(daaScore: bigint): number {
  const seconds = TEN_BLOCKS_START - SCHEDULE_START + (Number(daaScore) - TEN_BLOCKS_START) / BLOCKS_PER_SECOND
  return Math.floor(seconds / SECONDS_A_MONTH)
}

/** The DAA score at which a month begins. */
const scoreOf = (month: number): number =>
  (month * SECONDS_A_MONTH - (TEN_BLOCKS_START - SCHEDULE_START)) * BLOCKS_PER_SECOND + TEN_BLOCKS_START

/** KAS a block in a month: the reward a second, rounded down to the sompi, divided by its blocks and rounded up. */
const rewardOf = (month: number): number =>
  Math.ceil(Math.floor(FIRST_MONTH / 2 ** (month / MONTHS_A_HALVING)) / BLOCKS_PER_SECOND) / 1e8

/** KAS a block, exact to the sompi. */
export const rewardAt = (daaScore: bigint): number => rewardOf(monthAt(daaScore))

interface Reduction {
  /** Unix seconds, with a fraction. */
  readonly timestamp: number
  readonly date: string
  /** KAS a block. */
  readonly amount: number
}

/** The next month's reward and its time, estimated from `now` (ms) at 10 blocks a second. */
export function nextReduction(daaScore: bigint, now: number): Reduction {
  const next = monthAt(daaScore) + 1
  const timestamp = now / 1000 + (scoreOf(next) - Number(daaScore)) / BLOCKS_PER_SECOND
  const iso = new Date(Math.trunc(timestamp) * 1000).toISOString()
  return { timestamp, date: `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`, amount: rewardOf(next) }
}
