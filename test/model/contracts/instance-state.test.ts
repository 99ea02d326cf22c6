import { describe, expect, it } from 'vitest'
import {
  reduceInstance,
  unspentOf,
  type InstanceEvent,
  type InstanceState,
  type KnownOutput,
  type RelayedCall,
} from '../../../src/model/contracts/instance-state.js'
import { toOutpointKey } from '../../../src/model/utxo.js'

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
/** `spenders`: pairs of an output and what spends it. */
const spendersOf = (spenders: readonly (readonly [string, string])[]) =>
  new Map(spenders.map(([id, by]) => [toOutpointKey(outpoint(id)), by]))
const chain = (
  ids: readonly string[],
  accepted: readonly string[] = [],
  spenders: readonly (readonly [string, string])[] = [],
): InstanceEvent => ({
  type: 'chain',
  outputs: ids.map((id) => output(id)),
  accepted: new Set(accepted),
  spenders: spendersOf(spenders),
})
const mempool = (spenders: readonly (readonly [string, string])[], sent: readonly string[]): InstanceEvent => ({
  type: 'mempool',
  spenders: spendersOf(spenders),
  sent: new Set(sent),
})

const stateAfter = (...events: readonly InstanceEvent[]) =>
  events.reduce<InstanceState | null>((known, event) => reduceInstance(known, event), null)

/** The ids of what is unspent, and their depths, after some events. */
const after = (...events: readonly InstanceEvent[]) => {
  const state = stateAfter(...events)
  return unspentOf(state).map(({ state: id, depth }) => `${String(id)} ${depth}`)
}

const continued: InstanceEvent = { type: 'continued', spent: outpoint('a'), outputs: [output('x')] }
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
    ['the mempool has another call of the same output', [...CHAINED, mempool([['a', 'x']], ['b', 'c'])], ['a 0']],
    ['it has another call of what the first one creates', [...CHAINED, mempool([['b', 'x']], ['b', 'c'])], ['b 1']],
    ['the mempool has the own calls', [...CHAINED, mempool([['a', 'b']], ['b', 'c'])], ['c 2']],
    ['the mempool was read before the calls were sent', [...CHAINED, mempool([['a', 'x']], [])], ['c 2']],
    ['an own call replaces the first one', [...CHAINED, relayed(call('d', ['a']))], ['d 1']],
    ['the chain continues with the call of another', [...CHAINED, continued], ['x 0']],
    ['it continues what an own call began', [relayed(call('a', [])), continued], ['x 0']],
    ['nothing is known of what continues', [continued], []],
    ['a reorg takes the accepted call back', [...CHAINED, chain(['c'], ['b', 'c']), chain(['a'])], ['a 0']],
  ])('has what is unspent where %s', (_, events, unspent) => {
    expect(after(...events)).toEqual(unspent)
  })

  const MOVED = { transactionId: 'b', spentBy: 'x' }
  it.each([
    ['the mempool shows another spender', [...CHAINED, mempool([['a', 'x']], ['b', 'c'])], MOVED],
    ['the chain shows another spender', [...CHAINED, chain(['x'], ['x'], [['a', 'x']])], MOVED],
    [
      'a reorg revives the own call',
      [...CHAINED, chain(['x'], [], [['a', 'x']]), chain(['b'], ['b'], [['a', 'b']])],
      null,
    ],
    ['another own call is sent', [...CHAINED, chain(['x'], [], [['a', 'x']]), relayed(call('y', ['x']))], null],
    ['the chain accepts the own call', [...CHAINED, chain(['b'], ['b'], [['a', 'b']])], null],
  ] as const)('has the own call that was too late where %s', (_, events, moved) => {
    expect(stateAfter(...events)?.moved).toEqual(moved)
  })

  it('stays the same object where a call is relayed twice', () => {
    const state = reduceInstance(null, relayed(call('a', [])))
    expect(reduceInstance(state, relayed(call('a', [])))).toBe(state)
  })
})
