import { toScriptPublicKey } from '../../../model/address.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import type { RpcMempoolEntry, RpcResponse } from '../../../node/messages/records.js'
import type { Network } from '../network.js'
import type { PoolEntry, Pool } from '../mempool/pool.js'
import { toRpcTransaction } from '../records/events.js'
import type { KnownTransaction } from '../transaction.js'
import { scriptKey } from '../utxo-set.js'
import { admit } from '../mempool/admission.js'
import { succeed, fail } from '../result.js'
import type { Queries } from './scope.js'
import { MASS_LIMITS, MINIMUM_FEERATE } from '../../../model/mass.js'
import { templateFeerates } from '../mempool/selection.js'
import { BLOCKS_PER_SECOND } from '../params.js'

/** Which transactions are requested: mempool transactions, orphans, or both. */
interface Flags {
  readonly includeOrphanPool: boolean
  /** Excludes transactions that are not orphans. */
  readonly filterTransactionPool: boolean
}

const EMPTY_SELECTION = 'transaction query must either not filter transactions or include orphans'

export const mempoolQueries: Queries<'getMempoolEntry' | 'getMempoolEntries' | 'getMempoolEntriesByAddresses'> = {
  getMempoolEntry: ({ network }, { transactionId, ...flags }) => {
    if (selectsNothing(flags)) return fail(EMPTY_SELECTION)
    const { pool, orphans } = network.mempool
    const entry = flags.filterTransactionPool ? undefined : pool.find(transactionId)
    if (entry !== undefined) return succeed({ mempoolEntry: toPoolRecord(network, entry) })
    const orphan = flags.includeOrphanPool ? orphans.find(transactionId) : undefined
    return orphan === undefined
      ? fail(`Transaction ${transactionId} not found`)
      : succeed({ mempoolEntry: toOrphanRecord(network, orphan) })
  },

  getMempoolEntries: ({ network }, flags) =>
    selectsNothing(flags)
      ? fail(EMPTY_SELECTION)
      : succeed({ mempoolEntries: candidates(network, flags).map(({ record }) => record()) }),

  /** One entry per script; the prefix of requested addresses is ignored, the response has the network's prefix. */
  getMempoolEntriesByAddresses: ({ network }, { addresses, ...flags }) => {
    if (selectsNothing(flags)) return fail(EMPTY_SELECTION)
    const selected = candidates(network, flags)
    const localized = addresses.map((address) => network.state.validation.addresses.localize(address))
    return succeed({
      entries: [...new Set(localized)].map((address) => {
        const key = scriptKey(toScriptPublicKey(address))
        return {
          address,
          sending: selected.filter(({ senders }) => senders.has(key)).map(({ record }) => record()),
          receiving: selected.filter(({ receivers }) => receivers.has(key)).map(({ record }) => record()),
        }
      }),
    })
  },
}

const selectsNothing = ({ includeOrphanPool, filterTransactionPool }: Flags): boolean =>
  filterTransactionPool && !includeOrphanPool

/** A transaction that may match a query. The senders of an orphan are unknown. */
interface Candidate {
  readonly senders: ReadonlySet<string>
  readonly receivers: ReadonlySet<string>
  readonly record: () => RpcMempoolEntry
}

function candidates(network: Network, { includeOrphanPool, filterTransactionPool }: Flags): readonly Candidate[] {
  const { pool, orphans } = network.mempool
  const poolEntries = filterTransactionPool ? [] : [...pool.entries()]
  const orphanEntries = includeOrphanPool ? [...orphans.all()] : []
  return [
    ...poolEntries.map((entry) => ({
      senders: scriptsOf(entry.spent),
      receivers: scriptsOf(entry.known.transaction.outputs),
      record: () => toPoolRecord(network, entry),
    })),
    ...orphanEntries.map((known) => ({
      senders: new Set<string>(),
      receivers: scriptsOf(known.transaction.outputs),
      record: () => toOrphanRecord(network, known),
    })),
  ]
}

const scriptsOf = (utxos: readonly { readonly scriptPublicKey: ScriptPublicKey }[]): ReadonlySet<string> =>
  new Set(utxos.map(({ scriptPublicKey }) => scriptKey(scriptPublicKey)))

const toPoolRecord = ({ state }: Network, { known, fee }: PoolEntry): RpcMempoolEntry => ({
  fee,
  transaction: toRpcTransaction(known, state.validation.addresses),
  isOrphan: false,
})

const toOrphanRecord = ({ state }: Network, known: KnownTransaction): RpcMempoolEntry => ({
  fee: 0n,
  transaction: toRpcTransaction(known, state.validation.addresses),
  isOrphan: true,
})

export const transactionQueries: Queries<'submitTransaction' | 'submitTransactionReplacement'> = {
  submitTransaction: ({ network, rpcMode }, { transaction, allowOrphan }) => {
    const missingUtxo = allowOrphan && rpcMode === 'unsafe' ? 'keep-as-orphan' : 'reject'
    const admission = admit(network, transaction, { rbf: 'forbidden', missingUtxo })
    return admission.kind === 'rejected' ? fail(admission.message) : succeed({ transactionId: admission.id })
  },

  submitTransactionReplacement: ({ network }, { transaction }) => {
    const admission = admit(network, transaction, { rbf: 'required', missingUtxo: 'reject' })
    if (admission.kind === 'rejected') return fail(admission.message)
    const replaced = admission.kind === 'admitted' ? admission.replaced : undefined
    if (replaced === undefined) throw new RangeError('An admitted replacement has replaced a transaction')
    return succeed({ transactionId: admission.id, replacedTransaction: replaced.transaction })
  },
}

export const feeQueries: Queries<'getFeeEstimate' | 'getFeeEstimateExperimental'> = {
  getFeeEstimate: ({ network }) => succeed({ estimate: estimateFees(network.mempool.pool) }),

  getFeeEstimateExperimental: ({ network }, { verbose }) => {
    const { pool } = network.mempool
    const estimate = estimateFees(pool)
    if (!verbose) return succeed({ estimate })
    const ready = pool.ready()
    const { min, median, max } = templateFeerates(network)
    return succeed({
      estimate,
      verbose: {
        mempoolReadyTransactionsCount: BigInt(ready.length),
        mempoolReadyTransactionsTotalMass: ready.reduce((sum, { mass }) => sum + mass, 0n),
        networkMassPerSecond: MASS_LIMITS.compute * BigInt(BLOCKS_PER_SECOND),
        nextBlockTemplateFeerateMin: min,
        nextBlockTemplateFeerateMedian: median,
        nextBlockTemplateFeerateMax: max,
      },
    })
  },
}

/** The node selects transactions at random, weighted by the feerate to this power. */
const ALPHA = 3
const MINUTE = 60
const HALF_HOUR = 1800
const HOUR = 3600

type FeeratePool = Pick<Pool, 'ready' | 'averageMass'>

/**
 * The inclusion time of a feerate: `interval` is the seconds per transaction, `weight` the sum of competing weights.
 */
interface Curve {
  readonly interval: number
  readonly weight: number
}

/**
 * Feerates for inclusion in the next block, within a minute, half an hour, an hour. While the mempool holds less than a
 * block, all are the minimum. The formulas are those of nodes since 0.15, with the target of one block time of 1.1.
 */
export function estimateFees(pool: FeeratePool): RpcResponse<'getFeeEstimate'>['estimate'] {
  const curve = fitCurve(pool)
  const minimum = Number(MINIMUM_FEERATE)
  const high = Math.max(feerateFor(curve, 1 / BLOCKS_PER_SECOND), minimum)
  const low = Math.max(feerateFor(curve, HOUR), quantile(curve, minimum, high, 0.25))
  const normal = Math.max(feerateFor(curve, MINUTE), quantile(curve, low, high, 0.66))
  const halfHour = Math.max(feerateFor(curve, HALF_HOUR), quantile(curve, minimum, high, 0.5))
  const bucket = (feerate: number) => ({ feerate, estimatedSeconds: secondsFor(curve, feerate) })
  return { priorityBucket: bucket(high), normalBuckets: [bucket(normal), bucket(halfHour)], lowBuckets: [bucket(low)] }
}

/**
 * The curve of all ready transactions, or a lower one: the highest feerates are certain to be included, so the others
 * share the remaining mass without competing with them.
 */
function fitCurve(pool: FeeratePool): Curve {
  const best = [...pool.ready()].sort((left, right) => right.feerate - left.feerate)
  let weight = best.reduce((sum, entry) => sum + weightOf(entry), 0)
  let remainingMass = Number(MASS_LIMITS.compute)
  let curve = { interval: intervalOf(pool, remainingMass), weight }
  for (const entry of best) {
    remainingMass -= Number(entry.mass)
    if (remainingMass <= pool.averageMass) break
    weight = Math.max(0, weight - weightOf(entry))
    const without = { interval: intervalOf(pool, remainingMass), weight: entry === best.at(-1) ? 0 : weight }
    if (secondsFor(without, 1) >= secondsFor(curve, 1)) break
    curve = without
  }
  return curve
}

const weightOf = ({ feerate }: PoolEntry): number => feerate ** ALPHA

const intervalOf = ({ averageMass }: FeeratePool, massPerBlock: number): number =>
  averageMass / (massPerBlock * BLOCKS_PER_SECOND)

const secondsFor = ({ interval, weight }: Curve, feerate: number): number =>
  (interval * weight) / feerate ** ALPHA + interval

const feerateFor = ({ interval, weight }: Curve, seconds: number): number =>
  ((interval * weight) / seconds / (1 - interval / seconds)) ** (1 / ALPHA)

/** The feerate below which `part` of the area under the inclusion-time curve between two feerates lies. */
function quantile({ interval, weight }: Curve, lower: number, upper: number, part: number): number {
  const competing = interval * weight
  if (lower === upper || competing === 0) return lower
  const areaTo = (feerate: number): number => competing / (-2 * feerate ** 2)
  const area = part * areaTo(upper) + (1 - part) * areaTo(lower)
  return Math.sqrt(competing / (-2 * area))
}
