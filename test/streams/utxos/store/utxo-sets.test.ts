import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../../src/errors/chain-error.js'
import { createUtxoSets } from '../../../../src/streams/utxos/store/utxo-sets.js'
import { ALICE, BOB, utxo } from '../utxo-fixtures.js'
import { finish } from '../../../../src/loading/steps.js'

/** UTXO sets with one fetch in flight. */
function createHarness() {
  const utxoSets = createUtxoSets()
  const alice = utxoSets.open(ALICE)
  for (const type of ['placed', 'fetchStarted'] as const) utxoSets.dispatch(alice, { type })
  return { utxoSets, alice }
}

describe('an address set removed during a fetch', () => {
  it('ignores a later response', () => {
    const { utxoSets, alice } = createHarness()
    utxoSets.remove(alice)
    const before = utxoSets.currentVersion()
    utxoSets.load([alice], finish(utxoSets.prepare([utxo(1)])))
    expect(alice.entries.size).toBe(0)
    expect(before.entriesOf([ALICE])).toEqual([])
  })

  it('is not fetched again after a failure', () => {
    const { utxoSets, alice } = createHarness()
    utxoSets.remove(alice)
    utxoSets.dispatch(alice, { type: 'fetchFailed', error: new ChainError('busy') })
    utxoSets.dispatch(alice, { type: 'retryDue' })
    expect([...utxoSets.due, ...utxoSets.unplaced]).toEqual([])
  })
})

describe('a notification that arrives during a fetch, after a later one', () => {
  it.each(['a first fetch', 'a further fetch'])('of %s has the set fetched again', (fetch) => {
    const { utxoSets, alice } = createHarness()
    const respond = () => utxoSets.load([alice], finish(utxoSets.prepare([utxo(1)])))
    if (fetch === 'a further fetch') respond()
    else utxoSets.dispatch(alice, { type: 'invalidated' })
    utxoSets.apply({ removed: [utxo(2)], added: [] })
    utxoSets.dispatch(alice, { type: 'invalidated' })
    utxoSets.dispatch(alice, { type: 'fetchStarted' })
    utxoSets.apply({ removed: [], added: [utxo(2)] })
    respond()
    expect(alice.phase.step).toBe('due')
    utxoSets.dispatch(alice, { type: 'fetchStarted' })
    respond()
    expect([alice.phase.step, alice.entries.values()]).toEqual(['live', [utxo(1)]])
  })
})

describe('an outpoint that is reported for a second address', () => {
  it('stays with the first one, also where it arrived while that was the only address', () => {
    const { utxoSets, alice } = createHarness()
    utxoSets.load([alice], finish(utxoSets.prepare([utxo(1)])))
    const openBob = () => {
      const bob = utxoSets.open(BOB)
      for (const type of ['placed', 'fetchStarted'] as const) utxoSets.dispatch(bob, { type })
      const reported = [1, 2, 3].map((n) => utxo(n, { address: BOB }))
      utxoSets.load([bob], finish(utxoSets.prepare(reported)))
      return bob
    }
    const first = openBob()
    expect([first.entries.size, first.invalid.count]).toEqual([2, 1])
    utxoSets.remove(first)
    utxoSets.apply({ removed: [utxo(1)], added: [utxo(2)] })
    const second = openBob()
    expect(second.entries.values().map(({ outpoint }) => outpoint)).toEqual([utxo(1).outpoint, utxo(3).outpoint])
    expect(second.invalid.count).toBe(1)
  })
})
