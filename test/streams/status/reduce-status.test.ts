import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import {
  NOT_SEEN,
  acceptedByOf,
  confirmationsOf,
  conflictConfirmationsOf,
  errorOf,
  reduceStatus,
  type StatusEvent,
  type StatusState,
} from '../../../src/streams/status/reduce-status.js'

const FOUND: StatusEvent = { type: 'found', inputs: ['utxo:0'] }
const absent = (at: number): StatusEvent => ({ type: 'absent', at })
const accepted = (hash: string): StatusEvent => ({ type: 'accepted', hash })
const reverted = (hash: string): StatusEvent => ({ type: 'reverted', hash })
const blueScoreReceived = (hash: string, blueScore: bigint): StatusEvent => ({
  type: 'blueScoreReceived',
  hash,
  blueScore,
})
const rolledBack = (blueScore: bigint): StatusEvent => ({ type: 'rolledBack', blueScore })
const sink = (blueScore: bigint): StatusEvent => ({ type: 'sinkMoved', blueScore })
const CONFLICTED: StatusEvent = { type: 'conflicted', by: 'other' }
const REJECTED: StatusEvent = { type: 'rejected', error: new ChainError('fee too low') }
const TIMED_OUT = 'timed-out The transaction was not seen anywhere for 600000 ms'
const EXPIRED: StatusEvent = { type: 'expired', timeout: 600_000 }

const after = (...events: readonly StatusEvent[]): StatusState => events.reduce(reduceStatus, NOT_SEEN)

/** A state in one line: phase, accepting block, confirmations, error. */
const show = (state: StatusState): string =>
  [state.phase, acceptedByOf(state)?.hash, confirmationsOf(state), errorOf(state)?.message].filter(Boolean).join(' ')

const IN_MEMPOOL = after(FOUND)
const ACCEPTED = after(FOUND, accepted('a'), blueScoreReceived('a', 100n), sink(103n))
/** Rolled back to 99 while the score of its block is not known. */
const UNDONE = after(FOUND, accepted('a'), sink(103n), rolledBack(99n))
const ENDED = after(EXPIRED)
const REFUSED = after(REJECTED)
const INPUTS_SPENT: StatusEvent = { type: 'inputsSpent' }
const INPUTS_UNSPENT: StatusEvent = { type: 'inputsUnspent' }
const DOUBLE_SPENT: StatusEvent = { type: 'doubleSpent' }
const REVERTED = reduceStatus(ACCEPTED, reverted('a'))
const REPLACED = after(FOUND, CONFLICTED)
const other = (type: 'otherAccepted' | 'otherReverted', id = 'other'): StatusEvent => ({ type, id })
const CONFLICTING = reduceStatus(REVERTED, INPUTS_SPENT)

describe('a transaction', () => {
  it.each<[string, StatusState, StatusEvent, string]>([
    ['is found in the mempool', NOT_SEEN, FOUND, 'mempool'],
    ['stays unknown while absent from the mempool', NOT_SEEN, absent(0), 'unknown'],
    ['is accepted without having been seen', NOT_SEEN, accepted('a'), 'accepted a'],
    ['is accepted from the mempool', IN_MEMPOOL, accepted('a'), 'accepted a'],
    ['stays in the mempool when absent: a block may contain it', IN_MEMPOOL, absent(0), 'mempool'],
    ['is confirmed by each block that moves the sink', ACCEPTED, sink(107n), 'accepted a 7'],
    ['has no confirmations where the sink is lower', ACCEPTED, sink(99n), 'accepted a'],
    ['is reverted by a reorg', ACCEPTED, reverted('a'), 'mempool'],
    ['is reverted by a rollback below its accepting block', ACCEPTED, rolledBack(99n), 'mempool'],
    ['stays accepted where a rollback ends at its accepting block', ACCEPTED, rolledBack(100n), 'accepted a 3'],
    [
      'is reverted by a rollback that is below its accepting block, as its score shows later',
      UNDONE,
      blueScoreReceived('a', 100n),
      'mempool',
    ],
    [
      'stays accepted where its score shows that the rollback was above',
      UNDONE,
      blueScoreReceived('a', 99n),
      'accepted a 4',
    ],
    [
      'stays undone by the lower one of two rollbacks',
      reduceStatus(UNDONE, rolledBack(200n)),
      blueScoreReceived('a', 100n),
      'mempool',
    ],
    [
      'is accepted by the same block after a rollback',
      reduceStatus(UNDONE, accepted('a')),
      blueScoreReceived('a', 100n),
      'accepted a 3',
    ],
    ['is conflicting where a reorg has spent its inputs otherwise', REVERTED, INPUTS_SPENT, 'conflicting'],
    ['is not conflicting while it is accepted', ACCEPTED, INPUTS_SPENT, 'accepted a 3'],
    ['returns to the mempool where its inputs are unspent again', CONFLICTING, INPUTS_UNSPENT, 'mempool'],
    ['is accepted although it was conflicting', CONFLICTING, accepted('b'), 'accepted b'],
    ['is not evicted while it is conflicting', reduceStatus(CONFLICTING, absent(0)), absent(999_999), 'conflicting'],
    [
      'is double-spent once the conflicting transaction is confirmed',
      CONFLICTING,
      DOUBLE_SPENT,
      'double-spent A reorg has reverted the transaction, and another one has spent its UTXOs',
    ],
    ['is not double-spent without a conflict', REVERTED, DOUBLE_SPENT, 'mempool'],
    ['is accepted by another block', ACCEPTED, accepted('b'), 'accepted b'],
    ['is rejected by a node', NOT_SEEN, REJECTED, 'rejected fee too low'],
    ['is found although a node has refused it', REFUSED, FOUND, 'mempool'],
    ['is accepted although a node has refused it', REFUSED, accepted('a'), 'accepted a'],
    [
      'is replaced by a conflicting transaction',
      IN_MEMPOOL,
      CONFLICTED,
      'replaced Another transaction spends the same UTXOs: other',
    ],
    ['is found again although another transaction was in its place', REPLACED, FOUND, 'mempool'],
    ['is accepted although another transaction was in its place', REPLACED, accepted('b'), 'accepted b'],
    [
      'is replaced by what replaces the other transaction',
      REPLACED,
      { type: 'conflicted', by: 'third' },
      'replaced Another transaction spends the same UTXOs: third',
    ],
    ['times out when replaced, without the other transaction on the chain', REPLACED, EXPIRED, TIMED_OUT],
    ['times out when not seen', NOT_SEEN, EXPIRED, 'timed-out The transaction was not seen anywhere for 600000 ms'],
    [
      'times out when accepted but not confirmed',
      ACCEPTED,
      EXPIRED,
      'timed-out a 3 The transaction was accepted, but for 600000 ms no block has confirmed it',
    ],
  ])('%s', (_, state, event, expected) => {
    expect(show(reduceStatus(state, event))).toBe(expected)
  })

  it.each<[string, StatusState, StatusEvent]>([
    ['a repeated acceptance', ACCEPTED, accepted('a')],
    ['a revert by another block than the accepting one', ACCEPTED, reverted('z')],
    ['the blue score of another block', ACCEPTED, blueScoreReceived('z', 1n)],
    ['a second blue score', ACCEPTED, blueScoreReceived('a', 1n)],
    ['an unchanged sink', ACCEPTED, sink(103n)],
    ['the mempool entry of an accepted transaction', ACCEPTED, FOUND],
    ['the absence of an accepted transaction', ACCEPTED, absent(0)],
    ['a conflict of an accepted transaction', ACCEPTED, CONFLICTED],
    ['a late rejection of an accepted transaction', ACCEPTED, REJECTED],
    ['a refusal of a transaction in the mempool', IN_MEMPOOL, REJECTED],
    ['a further read that finds the same other transaction', REPLACED, CONFLICTED],
    ['the acceptance of a third transaction', REPLACED, other('otherAccepted', 'third')],
    ['the acceptance of another transaction where none was found', IN_MEMPOOL, other('otherAccepted')],
    ['anything after a final state', ENDED, accepted('a')],
    ['anything once the other transaction is confirmed', reduceStatus(REPLACED, DOUBLE_SPENT), accepted('a')],
  ])('returns the same object for %s', (_, state, event) => {
    expect(reduceStatus(state, event)).toBe(state)
  })
})

describe('eviction', () => {
  /** Absent at every read, 2 s apart, while the sink moves or does not. */
  const absentReads = (count: number, moves: boolean, start = IN_MEMPOOL): StatusState =>
    Array.from({ length: count }, (_, n) => [sink(moves ? BigInt(n) : 0n), absent(n * 2_000)])
      .flat()
      .reduce(reduceStatus, start)

  it('follows 120 s in neither mempool nor chain, while the chain moves', () => {
    expect(absentReads(60, true).phase).toBe('mempool')
    expect(show(absentReads(61, true))).toBe('evicted The transaction has left the mempool, and no block includes it')
  })

  it('never happens while the chain does not move, nor to a transaction that was never in the mempool', () => {
    expect(absentReads(500, false).phase).toBe('mempool')
    expect(absentReads(500, true, NOT_SEEN).phase).toBe('unknown')
  })

  it('proves nothing: the transaction may be found or accepted, and times out otherwise', () => {
    const evicted = absentReads(61, true)
    expect(show(reduceStatus(evicted, FOUND))).toBe('mempool')
    expect(show(reduceStatus(evicted, accepted('a')))).toBe('accepted a')
    expect(show(reduceStatus(evicted, EXPIRED))).toBe(TIMED_OUT)
    expect(errorOf(reduceStatus(evicted, EXPIRED))?.hint).toContain('submit the same signed transaction again')
  })

  it('restarts when the transaction is seen again', () => {
    const again = reduceStatus(absentReads(60, true), FOUND)
    expect(again).toMatchObject({ missing: null })
    expect(absentReads(60, true, again).phase).toBe('mempool')
  })

  it('is not affected by clock jumps', () => {
    const slept = [absent(0), sink(1n), absent(8 * 3_600_000)].reduce(reduceStatus, IN_MEMPOOL)
    expect(slept).toMatchObject({ phase: 'mempool', missing: { elapsed: 10_000 } })
    expect([sink(2n), absent(0)].reduce(reduceStatus, slept)).toMatchObject({ missing: { elapsed: 10_000 } })
  })
})

describe('conflictConfirmationsOf', () => {
  it.each<[string, StatusState, number]>([
    ['0 without a conflict', after(sink(9n)), 0],
    ['0 at first', CONFLICTING, 0],
    ['the blocks since it was found', reduceStatus(CONFLICTING, sink(108n)), 5],
    ['the blocks since the first known sink', [INPUTS_SPENT, sink(5n), sink(7n)].reduce(reduceStatus, IN_MEMPOOL), 2],
    ['0 after a sink that is lower', reduceStatus(CONFLICTING, sink(90n)), 0],
    ['0 where the other transaction is not accepted', [sink(5n), sink(9n)].reduce(reduceStatus, REPLACED), 0],
    [
      'the blocks since the other transaction was accepted',
      [sink(5n), other('otherAccepted'), sink(9n)].reduce(reduceStatus, REPLACED),
      4,
    ],
    [
      '0 once a reorg has reverted the other transaction',
      [sink(5n), other('otherAccepted'), sink(9n), other('otherReverted')].reduce(reduceStatus, REPLACED),
      0,
    ],
  ])('is %s', (_, state, expected) => {
    expect(conflictConfirmationsOf(state)).toBe(expected)
  })
})
