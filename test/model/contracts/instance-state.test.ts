import { describe, expect, it } from 'vitest'
import {
  reduceInstance,
  unspentOf,
  type InstanceEvent,
  type InstanceState,
  type KnownOutput,
  type RelayedCall,
} from '../../../src/model/contracts/instance-state.js'

const outpoint = (transactionId: string) => ({ transactionId, index: 0 })
const output = (transactionId: string, depth = 0): KnownOutput => ({
  outpoint: outpoint(transactionId),
  value: 1n,
  state: transactionId,
  depth,
})
const call = (transactionId: string, spends: readonly string[], depth = 1): RelayedCall => ({
  transactionId,
  spent: spends.map(outpoint),
  created: [{ outpoint: outpoint(transactionId), value: 1n, state: transactionId }],
  depth,
})
const relayed = (one: RelayedCall): InstanceEvent => ({ type: 'relayed', call: one })
const chain = (ids: readonly string[], accepted: readonly string[] = []): InstanceEvent => ({
  type: 'chain',
  outputs: ids.map((id) => output(id)),
  accepted: new Set(accepted),
})

/** The ids of what is unspent, and their depths, after some events. */
const after = (...events: readonly InstanceEvent[]) => {
  const state = events.reduce<InstanceState | null>((known, event) => reduceInstance(known, event), null)
  return unspentOf(state).map(({ state: id, depth }) => `${String(id)} ${depth}`)
}

const CHAINED = [chain(['a']), relayed(call('b', ['a'])), relayed(call('c', ['b'], 2))] as const

describe('the state of an instance', () => {
  it.each([
    ['nothing is known', [], []],
    ['an own genesis is relayed', [relayed(call('a', []))], ['a 1']],
    ['own calls are chained', CHAINED, ['c 2']],
    ['the chain has accepted the first of them', [...CHAINED, chain(['b'], ['b'])], ['c 1']],
    ['the chain has accepted both', [...CHAINED, chain(['c'], ['b', 'c'])], ['c 0']],
    [
      'only the last one is known as accepted',
      [relayed(call('a', [])), relayed(call('b', ['a'], 2)), chain(['b'], ['b'])],
      ['b 0'],
    ],
    ['another transaction spends what the first one spends', [...CHAINED, chain(['x'], ['x'])], ['x 0']],
    ['a reorg takes the accepted call back', [...CHAINED, chain(['c'], ['b', 'c']), chain(['a'])], ['a 0']],
  ])('has what is unspent where %s', (_, events, unspent) => {
    expect(after(...events)).toEqual(unspent)
  })

  it('stays the same object where a call is relayed twice', () => {
    const state = reduceInstance(null, relayed(call('a', [])))
    expect(reduceInstance(state, relayed(call('a', [])))).toBe(state)
  })
})
