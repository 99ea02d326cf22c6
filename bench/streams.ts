import { encodeAddress, toScriptPublicKey } from '../src/model/address.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { createUtxoSets, type UtxoSets } from '../src/streams/utxos/store/utxo-sets.js'
import { createCurrentEffects } from '../src/streams/utxos/unconfirmed/effects.js'
import { createRecords } from '../src/streams/utxos/unconfirmed/records.js'
import { createView, type View } from '../src/streams/utxos/view/view.js'
import type { BenchRow } from './row.js'
import { finish } from '../src/loading/steps.js'

const ADDRESS = encodeAddress('kaspasim', 'PubKey', new Uint8Array(32).fill(1))

const SCRIPT = toScriptPublicKey(ADDRESS)

/** Entries in one change, half of them spent and half of them new. */
const CHANGE = 100
const ROUNDS = 300

const utxo = (n: number): UtxoEntry => ({
  address: ADDRESS,
  outpoint: { transactionId: n.toString(16).padStart(64, '0'), index: 0 },
  amount: 1_000n,
  scriptPublicKey: SCRIPT,
  blockDaaScore: 10n,
  isCoinbase: false,
})

interface TrackedSet {
  readonly utxoSets: UtxoSets
  readonly view: View
  readonly size: number
}

/** A tracked set of `size` entries with a view on it. */
function createTrackedSet(size: number): TrackedSet {
  const utxoSets = createUtxoSets()
  const addressSet = utxoSets.open(ADDRESS)
  const view = createView(
    utxoSets,
    createCurrentEffects(
      createRecords(() => undefined),
      utxoSets,
    ),
    { coinbaseMaturity: 1_000n, mempoolInterval: 0 },
  )
  view.add(addressSet)
  view.setScore(10n)
  utxoSets.dispatch(addressSet, { type: 'placed' })
  utxoSets.dispatch(addressSet, { type: 'fetchStarted' })
  const entries = Array.from({ length: size }, (_, n) => utxo(n))
  utxoSets.load([addressSet], finish(utxoSets.prepare(entries)))
  return { utxoSets, view, size }
}

/** Median time of one change, from the notification to the state with its balance, ms. */
function timeChange({ utxoSets, view, size }: TrackedSet): number {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const first = size + (round * CHANGE) / 2
    const added = Array.from({ length: CHANGE / 2 }, (_, n) => utxo(first + n))
    const removed = Array.from({ length: CHANGE / 2 }, (_, n) => utxo(first - size + n))
    const start = performance.now()
    utxoSets.apply({ removed, added })
    view.state()
    times.push(performance.now() - start)
  }
  return median(times)
}

/** Median time to reload the whole set, as a client that refetches, without transport, ms. */
function timeRefetch({ utxoSets, size }: TrackedSet): number {
  const addressSet = utxoSets.open(ADDRESS)
  const times = [1, 2, 3, 4, 5].map(() => {
    const snapshot = Array.from({ length: size }, (_, n) => utxo(n))
    const start = performance.now()
    utxoSets.dispatch(addressSet, { type: 'invalidated' })
    utxoSets.dispatch(addressSet, { type: 'fetchStarted' })
    utxoSets.load([addressSet], finish(utxoSets.prepare(snapshot)))
    return performance.now() - start
  })
  return median(times)
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Cost of one change against the set size, and against a reload. */
export async function run(): Promise<BenchRow[]> {
  timeChange(createTrackedSet(1_000)) // warms up
  const small = timeChange(createTrackedSet(1_000))
  const large = createTrackedSet(100_000)
  const change = timeChange(large)
  const million = timeChange(createTrackedSet(1_000_000))
  const refetch = timeRefetch(large)
  const detail = `${change.toFixed(3)} ms on 100,000 entries`
  return Promise.resolve([
    {
      what: 'one change of 100 entries in a set of 100,000',
      against: 'the same in a set of 1,000',
      ratio: change / small,
      goal: '≤ 1.5 ×, < 1 ms',
      met: change / small <= 1.5 && change < 1,
      detail: `${detail}, ${small.toFixed(3)} ms on 1,000`,
    },
    {
      what: 'one change of 100 entries in a set of 1,000,000',
      against: 'the same in a set of 1,000',
      ratio: million / small,
      goal: '≤ 1.5 ×, < 1 ms',
      met: million / small <= 1.5 && million < 1,
      detail: `${million.toFixed(3)} ms on 1,000,000 entries, ${small.toFixed(3)} ms on 1,000`,
    },
    {
      what: 'the same change in a set of 100,000',
      against: 'reloading all entries, without transport and decoding',
      ratio: change / refetch,
      goal: '≤ 1/500 × with transport and decoding',
      met: change / refetch <= 1 / 500,
      detail: `${detail}, ${refetch.toFixed(1)} ms to reload`,
    },
  ])
}
