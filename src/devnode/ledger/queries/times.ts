import { NETWORKS } from '../../../model/network.js'
import { succeed, fail } from '../result.js'
import { unknownHeader, type Queries } from './scope.js'
import type { LedgerBlock } from '../block.js'
import type { ChainState } from '../chain/chain-state.js'

const MAX_SAFE_WINDOW = 10_000
const MIN_WINDOW = 1000
const PRUNING_DEPTH = 1_080_000
/** The hash that stands for virtual in requests of older clients. */
const VIRTUAL: string = /*#__PURE__*/ 'ff'.repeat(32)
/** Chain blocks sampled between genesis and sink. */
const SAMPLES = 3

/** Queries of timestamps and hash rate. */
export const timeQueries: Queries<'getDaaScoreTimestampEstimate' | 'estimateNetworkHashesPerSecond'> = {
  getDaaScoreTimestampEstimate: ({ network: { state } }, { daaScores }) => {
    const samples = sampleChain(state)
    return succeed({ timestamps: daaScores.map((score) => timeOf(score, samples, state)) })
  },

  estimateNetworkHashesPerSecond: ({ network: { state }, rpcMode }, { windowSize, startHash = VIRTUAL }) => {
    if (rpcMode === 'safe' && windowSize > MAX_SAFE_WINDOW)
      return fail(
        `Requested window size ${String(windowSize)} is larger than max ${String(MAX_SAFE_WINDOW)} allowed in RPC safe mode.`,
      )
    if (windowSize > PRUNING_DEPTH)
      return fail(
        `Requested window size ${String(windowSize)} is larger than pruning point depth ${String(PRUNING_DEPTH)}.`,
      )
    if (startHash !== VIRTUAL && !state.dag.has(startHash)) return fail(unknownHeader(startHash))
    if (startHash === state.dag.genesis)
      return fail(
        'difficulty error: window data has only 0 entries -- this usually happens when the node has just began syncing',
      )
    const window = windowBelow(state, startHash, windowSize)
    if (window.length < MIN_WINDOW)
      return fail(`difficulty error: under min allowed window size (${String(window.length)} < ${String(MIN_WINDOW)})`)
    const rate = hashRate(window)
    if (rate === undefined) return fail('difficulty error: min window timestamp is equal to the max window timestamp')
    return succeed({ networkHashesPerSecond: rate })
  },
}

/** Genesis, the sink, and sampled chain blocks between them, newest first. */
function sampleChain({ dag, chain }: ChainState): readonly LedgerBlock[] {
  const high = chain.length - 1
  const step = Math.max(Math.floor(high / SAMPLES), 1)
  const indices = new Set([0])
  for (let index = step; index <= high; index += step) indices.add(index)
  indices.add(high)
  return [...indices].map((index) => dag.get(chain.at(index))).reverse()
}

/** Interpolates between two samples; extrapolates above the newest at the target time per block. */
function timeOf(score: bigint, samples: readonly LedgerBlock[], { network }: ChainState): bigint {
  const index = samples.findIndex(({ header }) => header.daaScore <= score)
  const below = samples[index]?.header
  if (below === undefined) return 0n
  const above = samples[index - 1]?.header
  const ahead = score - below.daaScore
  if (above === undefined) return saturated(below.timestamp + ahead * BigInt(NETWORKS[network].targetTimePerBlock))
  const elapsed = above.timestamp > below.timestamp ? above.timestamp - below.timestamp : 0n
  const part = Number(ahead) / Number(above.daaScore - below.daaScore)
  return below.timestamp + BigInt(Math.trunc(Number(elapsed) * part))
}

const MAX_U64 = 2n ** 64n - 1n

/** The node saturates at the u64 maximum. */
const saturated = (time: bigint): bigint => (time > MAX_U64 ? MAX_U64 : time)

/** The newest `size` blocks in the past of `start`, without genesis. */
function windowBelow({ dag, virtual }: ChainState, start: string, size: number): readonly LedgerBlock[] {
  const window: LedgerBlock[] = []
  let { ghostdag } = start === VIRTUAL ? virtual.context : dag.get(start).context
  while (ghostdag.mergeset.length > 0 && window.length < size) {
    const merged = ghostdag.mergeset.filter((hash) => hash !== dag.genesis)
    window.push(...merged.map((hash) => dag.get(hash)).slice(0, size - window.length))
    ghostdag = dag.get(ghostdag.selectedParent).context.ghostdag
  }
  return window
}

/** Blue work per second; 0 for a window shorter than one second, undefined for equal timestamps. */
function hashRate(window: readonly LedgerBlock[]): bigint | undefined {
  const [fromTime, toTime] = rangeOf(window.map(({ header }) => header.timestamp))
  if (fromTime === toTime) return undefined
  const [fromWork, toWork] = rangeOf(window.map(({ context }) => context.ghostdag.blueWork))
  const seconds = (toTime - fromTime) / 1000n
  return seconds === 0n ? 0n : (toWork - fromWork) / seconds
}

function rangeOf(values: readonly bigint[]): readonly [min: bigint, max: bigint] {
  const [first = 0n] = values
  return values.reduce<readonly [bigint, bigint]>(
    ([min, max], value) => [value < min ? value : min, value > max ? value : max],
    [first, first],
  )
}
