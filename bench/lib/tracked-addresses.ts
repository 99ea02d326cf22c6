import { finish } from '../../src/loading/steps.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { createCurrentEffects } from '../../src/streams/utxos/unconfirmed/effects.js'
import { createRecords } from '../../src/streams/utxos/unconfirmed/records.js'
import { createUtxoSets, type UtxoSets } from '../../src/streams/utxos/store/utxo-sets.js'
import { createView, type View } from '../../src/streams/utxos/view/view.js'
import { addressesOf, utxos } from '../wire/utxos.js'
import { median } from './median.js'

/** Entries of a change, each of another address: all of them spent, and as many new. */
const CHANGE = 100
const ROUNDS = 300
/** Addresses of a snapshot. */
const PER_SNAPSHOT = 250

/** Median ms from a notification to the state with its balance, and to the balances of all addresses. */
export function timeChanges(
  addresses: number,
  perAddress: number,
): { readonly state: number; readonly balances: number } {
  const { utxoSets, view, changing } = track(addresses, perAddress)
  let current = changing
  const time = (read: () => unknown): number => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const next = current.map((entry) => ({ ...entry, outpoint: withNextIndex(entry) }))
      const start = performance.now()
      utxoSets.apply({ removed: current, added: next })
      read()
      times.push(performance.now() - start)
      current = next
    }
    return median(times)
  }
  const state = time(() => view.state())
  return { state, balances: time(() => view.balances()) }
}

interface Tracked {
  readonly utxoSets: UtxoSets
  readonly view: View
  /** The first entry of each of some addresses. */
  readonly changing: readonly UtxoEntry[]
}

/** Tracks all entries, of which only a few records are kept. */
function track(addresses: number, perAddress: number): Tracked {
  const entries = utxos(addresses * perAddress, addresses)
  const utxoSets = createUtxoSets()
  const effects = createCurrentEffects(
    createRecords(() => undefined),
    utxoSets,
  )
  const view = createView(utxoSets, effects, { coinbaseMaturity: 1_000n, mempoolInterval: 0 })
  view.setScore(91_000_000n)
  const addressSets = addressesOf(entries).map((address) => utxoSets.open(address))
  for (const addressSet of addressSets) {
    view.add(addressSet)
    utxoSets.dispatch(addressSet, { type: 'placed' })
    utxoSets.dispatch(addressSet, { type: 'fetchStarted' })
  }
  for (let first = 0; first < addressSets.length; first += PER_SNAPSHOT) {
    const snapshot = entries.slice(first * perAddress, (first + PER_SNAPSHOT) * perAddress)
    utxoSets.load(addressSets.slice(first, first + PER_SNAPSHOT), finish(utxoSets.prepare(snapshot)))
  }
  const distance = Math.max(1, Math.floor(addresses / CHANGE)) * perAddress
  return { utxoSets, view, changing: entries.filter((_, at) => at % distance === 0).slice(0, CHANGE) }
}

const withNextIndex = ({ outpoint: { transactionId, index } }: UtxoEntry) => ({ transactionId, index: index + 10 })
