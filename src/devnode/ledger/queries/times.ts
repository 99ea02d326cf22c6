import { NETWORKS } from '../../../model/network.js'
import { give, refuse } from '../answer.js'
import type { LedgerBlock } from '../block.js'
import type { ChainState } from '../chain/chain-state.js'
import { unknownHeader, type Queries } from './scope.js'

const MAX_SAFE_WINDOW = 10_000
const MIN_WINDOW = 1000
const PRUNING_DEPTH = 1_080_000
/** Virtual, as older clients name it. */
const VIRTUAL: string = 'ff'.repeat(32)
/** How many chain blocks between genesis and sink are looked at for the time of a score. */
const SAMPLES = 3

/** When a score was or will be, and how fast blocks come. */
export const timeQueries: Queries<'getDaaScoreTimestampEstimate' | 'estimateNetworkHashesPerSecond'> = {
  getDaaScoreTimestampEstimate: ({ network: { state } }, { daaScores }) => {
    const samples = sampleChain(state)
    return give({ timestamps: daaScores.map((score) => timeOf(score, samples, state)) })
  },

  estimateNetworkHashesPerSecond: ({ network: { state }, rpcMode }, { windowSize, startHash = VIRTUAL }) => {
    if (rpcMode === 'safe' && windowSize > MAX_SAFE_WINDOW)
      return refuse(
        `Requested window size ${String(windowSize)} is larger than max ${String(MAX_SAFE_WINDOW)} allowed in RPC safe mode.`,
      )
    if (windowSize > PRUNING_DEPTH)
      return refuse(
        `Requested window size ${String(windowSize)} is larger than pruning point depth ${String(PRUNING_DEPTH)}.`,
      )
    if (startHash !== VIRTUAL && !state.dag.has(startHash)) return refuse(unknownHeader(startHash))
    if (startHash === state.dag.genesis)
      return refuse(
        'difficulty error: window data has only 0 entries -- this usually happens when the node has just began syncing',
      )
    const window = windowBelow(state, startHash, windowSize)
    if (window.length < MIN_WINDOW)
      return refuse(
        `difficulty error: under min allowed window size (${String(window.length)} < ${String(MIN_WINDOW)})`,
      )
    const rate = hashRate(window)
    if (rate === undefined) return refuse('difficulty error: min window timestamp is equal to the max window timestamp')
    return give({ networkHashesPerSecond: rate })
  },
}

/** Genesis, the sink, and some chain blocks between them, newest first. */
function sampleChain({ dag, chain }: ChainState): readonly LedgerBlock[] {
  const high = chain.length - 1
  const step = Math.max(Math.floor(high / SAMPLES), 1)
  const places = new Set([0])
  for (let place = step; place <= high; place += step) places.add(place)
  places.add(high)
  return [...places].map((place) => dag.get(chain.at(place))).reverse()
}

/** Between two samples in proportion, above the newest at the pace that blocks should come in. */
function timeOf(score: bigint, samples: readonly LedgerBlock[], { network }: ChainState): bigint {
  const place = samples.findIndex(({ header }) => header.daaScore <= score)
  const below = samples[place]?.header
  if (below === undefined) return 0n
  const above = samples[place - 1]?.header
  const ahead = score - below.daaScore
  if (above === undefined) return saturated(below.timestamp + ahead * BigInt(NETWORKS[network].targetTimePerBlock))
  const elapsed = above.timestamp > below.timestamp ? above.timestamp - below.timestamp : 0n
  const part = Number(ahead) / Number(above.daaScore - below.daaScore)
  return below.timestamp + BigInt(Math.trunc(Number(elapsed) * part))
}

const MAX_U64 = 2n ** 64n - 1n

/** The node reckons with 64 bits, and stops at the last of them. */
const saturated = (time: bigint): bigint => (time > MAX_U64 ? MAX_U64 : time)

/** The newest blocks in the past of a block, genesis aside. */
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

/** Work over time; 0 where the window is shorter than a second, undefined where it has no length at all. */
function hashRate(window: readonly LedgerBlock[]): bigint | undefined {
  const [fromTime, toTime] = rangeOf(window.map(({ header }) => header.timestamp))
  if (fromTime === toTime) return undefined
  const [fromWork, toWork] = rangeOf(window.map(({ context }) => context.ghostdag.blueWork))
  const seconds = (toTime - fromTime) / 1000n
  return seconds === 0n ? 0n : (toWork - fromWork) / seconds
}

function rangeOf(values: readonly bigint[]): readonly [least: bigint, greatest: bigint] {
  const [first = 0n] = values
  return values.reduce<readonly [bigint, bigint]>(
    ([least, greatest], value) => [value < least ? value : least, value > greatest ? value : greatest],
    [first, first],
  )
}
