import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import {
  NOT_SEEN,
  confirmationsOf,
  reduceStatus,
  type StatusEvent,
  type StatusState,
} from '../../../src/streams/status/reduce-status.js'

const FOUND: StatusEvent = { type: 'found', inputs: ['coin:0'] }
const absent = (at: number): StatusEvent => ({ type: 'absent', at })
const accepted = (hash: string): StatusEvent => ({ type: 'accepted', hash })
const reverted = (hash: string): StatusEvent => ({ type: 'reverted', hash })
const weighed = (hash: string, blueScore: bigint): StatusEvent => ({ type: 'weighed', hash, blueScore })
const sink = (blueScore: bigint): StatusEvent => ({ type: 'sinkMoved', blueScore })
const CONFLICTED: StatusEvent = { type: 'conflicted', by: 'rival' }
const REJECTED: StatusEvent = { type: 'rejected', error: new ChainError('fee too low') }
const EXPIRED: StatusEvent = { type: 'expired', timeout: 600_000 }

const after = (...events: readonly StatusEvent[]): StatusState => events.reduce(reduceStatus, NOT_SEEN)

/** A state in one line: where it stands, by which block, how deep. */
const show = (state: StatusState): string =>
  [state.phase, state.acceptedBy?.hash, confirmationsOf(state), state.error?.message].filter(Boolean).join(' ')

const WAITING = after(FOUND)
const ACCEPTED = after(FOUND, accepted('a'), weighed('a', 100n), sink(103n))
const ENDED = after(REJECTED)

describe('a transaction', () => {
  it.each<[string, StatusState, StatusEvent, string]>([
    ['is found in the mempool', NOT_SEEN, FOUND, 'mempool'],
    ['is not in the mempool, and was seen nowhere yet', NOT_SEEN, absent(0), 'unknown'],
    ['is accepted without having been seen', NOT_SEEN, accepted('a'), 'accepted a'],
    ['is accepted out of the mempool', WAITING, accepted('a'), 'accepted a'],
    ['left the mempool: a block may hold it', WAITING, absent(0), 'mempool'],
    ['is confirmed by each block that moves the sink', ACCEPTED, sink(107n), 'accepted a 7'],
    ['counts none where the sink has fallen behind', ACCEPTED, sink(99n), 'accepted a'],
    ['is taken back by a reorg', ACCEPTED, reverted('a'), 'mempool'],
    ['is accepted by another block', ACCEPTED, accepted('b'), 'accepted b'],
    ['was refused', NOT_SEEN, REJECTED, 'rejected fee too low'],
    ['lost its coins to another', WAITING, CONFLICTED, 'replaced Another transaction spends the same coins: rival'],
    [
      'was seen nowhere for too long',
      NOT_SEEN,
      EXPIRED,
      'timed-out The transaction was not seen anywhere for 600000 ms',
    ],
    [
      'was accepted, and nothing confirms it',
      ACCEPTED,
      EXPIRED,
      'timed-out a 3 The transaction was accepted, but for 600000 ms no block has confirmed it',
    ],
  ])('%s', (_, state, event, expected) => {
    expect(show(reduceStatus(state, event))).toBe(expected)
  })

  it.each<[string, StatusState, StatusEvent]>([
    ['of the same acceptance told twice', ACCEPTED, accepted('a')],
    ['of a block that took back what another accepts', ACCEPTED, reverted('z')],
    ['of the weight of another block', ACCEPTED, weighed('z', 1n)],
    ['of a second weight', ACCEPTED, weighed('a', 1n)],
    ['of a sink that stands', ACCEPTED, sink(103n)],
    ['of the mempool, once it is accepted', ACCEPTED, FOUND],
    ['of its absence there', ACCEPTED, absent(0)],
    ['of a rival, once it is accepted', ACCEPTED, CONFLICTED],
    ['of a late refusal, once it is accepted', ACCEPTED, REJECTED],
    ['of anything after its end', ENDED, accepted('a')],
  ])('takes no notice %s: the same object', (_, state, event) => {
    expect(reduceStatus(state, event)).toBe(state)
  })
})

describe('eviction', () => {
  /** Absent at every look, 2 s apart, while the sink moves, or stands. */
  const looks = (count: number, moves: boolean, start = WAITING): StatusState =>
    Array.from({ length: count }, (_, n) => [sink(moves ? BigInt(n) : 0n), absent(n * 2_000)])
      .flat()
      .reduce(reduceStatus, start)

  it('comes after 120 s in neither mempool nor chain, while the chain moves', () => {
    expect(looks(60, true).phase).toBe('mempool')
    expect(show(looks(61, true))).toBe('evicted The transaction has left the mempool, and no block brought it')
  })

  it('never comes while the chain stands still, nor for what was never in the mempool', () => {
    expect(looks(500, false).phase).toBe('mempool')
    expect(looks(500, true, NOT_SEEN).phase).toBe('unknown')
  })

  it('begins anew when it is seen again', () => {
    const again = reduceStatus(looks(60, true), FOUND)
    expect(again.missing).toBeNull()
    expect(looks(60, true, again).phase).toBe('mempool')
  })

  it('is not hastened by a clock that jumps eight hours ahead, nor hindered by one that jumps back', () => {
    const slept = [absent(0), sink(1n), absent(8 * 3_600_000)].reduce(reduceStatus, WAITING)
    expect(slept).toMatchObject({ phase: 'mempool', missing: { elapsed: 10_000 } })
    expect([sink(2n), absent(0)].reduce(reduceStatus, slept)).toMatchObject({ missing: { elapsed: 10_000 } })
  })
})
