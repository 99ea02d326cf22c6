import { describe, expect, it } from 'vitest'
import {
  reduceInstance,
  unspentOf,
  type InstanceEvent,
  type InstanceState,
} from '../../../src/model/contracts/instance-state.js'
import { toPending, type KnownOutput, type RelayedCall } from '../../../src/model/contracts/pending-call.js'
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
  isFurther: true,
})
/** A read that shows `spenders`, where the calls of `sent` were as `before` has them. */
const mempool = (
  spenders: readonly (readonly [string, string])[],
  sent: readonly string[],
  before?: InstanceState | null,
): InstanceEvent => ({
  type: 'mempool',
  spenders: spendersOf(spenders),
  listed: new Set(spenders.map(([, by]) => by)),
  sent: before?.pending ?? sent.map((id) => toPending(call(id, []))),
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

  describe('with an own call that the mempool no longer has', () => {
    const SENT = [chain(['a']), relayed(call('b', ['a'])), relayed(call('c', ['b'], 2))] as const
    const BLOCK = chain(['a'])
    /** The states after a read without the calls, and after further events, with a read that begins after each. */
    const dropped = (...events: readonly InstanceEvent[]): InstanceState | null =>
      [mempool([], ['b', 'c']), ...events].reduce<InstanceState | null>(
        (state, event) => {
          const next = reduceInstance(state, event)
          return reduceInstance(next, mempool([], [], next))
        },
        stateAfter(...SENT),
      )
    const shown = (state: InstanceState | null) =>
      unspentOf(state).map(({ state: id, depth }) => `${String(id)} ${depth}`)

    it('shows it until the chain was followed further two times, and a later read does not have it', () => {
      const state = stateAfter(...SENT)
      const left = reduceInstance(state, mempool([], [], state))
      const followed = [BLOCK, BLOCK].reduce<InstanceState | null>(reduceInstance, left)
      expect(shown(dropped(BLOCK))).toEqual(['c 2'])
      expect(shown(reduceInstance(followed, mempool([], [], left)))).toEqual(['c 2']) // it began before
      expect(shown(reduceInstance(followed, mempool([], [], followed)))).toEqual(['a 0'])
      expect(shown(dropped(BLOCK, BLOCK))).toEqual(['a 0'])
    })

    it('shows nothing that is chained on it', () => {
      const state = [BLOCK, BLOCK].reduce<InstanceState | null>(
        (known, event) => {
          const next = reduceInstance(known, event)
          return reduceInstance(next, mempool([['b', 'c']], [], next))
        },
        stateAfter(...SENT, mempool([['b', 'c']], ['b', 'c'])),
      )
      expect(shown(state)).toEqual(['a 0'])
    })

    it.each<readonly [string, InstanceEvent, readonly string[]]>([
      ['its plan submits it again', relayed(call('b', ['a'])), ['b 1']],
      ['the mempool has it again', mempool([['a', 'b']], ['b']), ['b 1']],
      ['the chain has it', chain(['b'], ['b']), ['b 0']],
      ['another own call spends the same', relayed(call('d', ['a'])), ['d 1']],
    ])('shows what follows where %s', (_, event, unspent) => {
      expect(shown(reduceInstance(dropped(BLOCK, BLOCK), event))).toEqual(unspent)
    })

    it('keeps an own genesis that the mempool has, which spends nothing of the contract', () => {
      const begun = stateAfter(relayed(call('a', [])))
      const state = [chain([]), chain([]), chain([])].reduce<InstanceState | null>((known, event) => {
        const next = reduceInstance(known, event)
        return reduceInstance(next, { ...mempool([], [], next), listed: new Set(['a']) } as InstanceEvent)
      }, begun)
      expect(shown(state)).toEqual(['a 1'])
    })
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

  it('stays the same object where a call is relayed twice, and where the mempool still has it', () => {
    const state = reduceInstance(null, relayed(call('a', [])))
    expect(reduceInstance(state, relayed(call('a', [])))).toBe(state)
    const called = stateAfter(...CHAINED)
    expect(
      reduceInstance(
        called,
        mempool(
          [
            ['a', 'b'],
            ['b', 'c'],
          ],
          ['b', 'c'],
        ),
      ),
    ).toBe(called)
  })
})
