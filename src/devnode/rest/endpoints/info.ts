import { boolean, orNull, text as anyText, usually } from '../http/reader.js'
import { INTERNAL_ERROR, Refusal, ok, refuse, text } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'
import { nextReduction, rewardAt } from '../rewards.js'

const SOMPI_PER_KAS = 100_000_000
const stringOnly = { stringOnly: usually(boolean, false) }

/** The network as a whole: its tip, its supply, its fees. What its node says, in the server's units. */
export const infoRoutes: readonly Route[] = [
  get('/info/virtual-chain-blue-score', { answer: (_, indexer) => ok({ blueScore: indexer.tip() }) }),
  get('/info/blockdag', { answer: (_, indexer) => ok(toDag(indexer)) }),
  get('/info/network', { answer: (_, indexer) => ok(toDag(indexer)) }),

  get('/info/coinsupply', {
    answer(_, indexer) {
      const { circulatingSompi } = indexer.ask('getCoinSupply', {})
      return ok({ circulatingSupply: String(circulatingSompi), maxSupply: MAX_SUPPLY[kindOf(indexer)] })
    },
  }),
  get('/info/coinsupply/circulating', {
    query: { in_billion: usually(boolean, false) },
    answer: ({ query }, indexer) => text(supplyOf(indexer, query.in_billion)),
  }),
  get('/info/coinsupply/total', {
    query: { in_billion: usually(boolean, false) },
    answer: ({ query }, indexer) => text(supplyOf(indexer, query.in_billion)),
  }),

  get('/info/blockreward', {
    query: stringOnly,
    answer({ query }, indexer) {
      const blockreward = rewardAt(indexer.ledger.truth.virtualDaaScore())
      return ok(query.stringOnly ? blockreward.toFixed(2) : { blockreward })
    },
  }),
  get('/info/halving', {
    query: { field: usually(orNull(anyText), null) },
    answer({ query: { field } }, indexer) {
      const next = nextReduction(indexer.ledger.truth.virtualDaaScore(), indexer.now)
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
    answer(_, indexer) {
      const { priorityBucket, normalBuckets, lowBuckets } = indexer.ask('getFeeEstimate', {}).estimate
      return ok({
        priorityBucket: toBucket(priorityBucket),
        normalBuckets: normalBuckets.map(toBucket),
        lowBuckets: lowBuckets.map(toBucket),
      })
    },
  }),

  /** No price is known off mainnet, and here none is known at all. */
  get('/info/marketcap', {
    query: stringOnly,
    answer() {
      throw new Refusal(INTERNAL_ERROR)
    },
  }),
  get('/info/price', {
    query: stringOnly,
    answer: ({ query }, indexer) => onMainnet(indexer, query.stringOnly ? text('0') : ok({ price: 0 })),
  }),
  get('/info/market-data', { answer: (_, indexer) => onMainnet(indexer, ok({})) }),
]

const MAX_SUPPLY = { mainnet: '2870403560500000000', other: '2900000000000000000' }

const kindOf = ({ network }: Indexer): keyof typeof MAX_SUPPLY => (network.id === 'mainnet' ? 'mainnet' : 'other')

function onMainnet<T>(indexer: Indexer, reply: T): T {
  if (kindOf(indexer) === 'mainnet') return reply
  throw refuse(503, 'Endpoint not available. This endpoint is only available in mainnet.')
}

function toDag(indexer: Indexer) {
  const dag = indexer.ask('getBlockDagInfo', {})
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

/** The server reckons in doubles here, and writes a point into every one. */
function supplyOf(indexer: Indexer, inBillion: boolean): string {
  const kas = Number(indexer.ask('getCoinSupply', {}).circulatingSompi) / SOMPI_PER_KAS
  if (inBillion) return String(Math.round(kas / 1e7) / 100)
  return Number.isInteger(kas) ? `${kas}.0` : String(kas)
}

/** Fee rates lose what is behind the point. */
const toBucket = ({ feerate, estimatedSeconds }: { readonly feerate: number; readonly estimatedSeconds: number }) => ({
  feerate: Math.trunc(feerate),
  estimatedSeconds,
})
