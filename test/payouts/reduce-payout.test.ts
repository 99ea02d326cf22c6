import { describe, expect, it } from 'vitest'
import { QUEUED, type PayoutEvent, type PayoutProgress, reducePayout } from '../../src/streams/payouts/progress.js'

const waiting: PayoutProgress = { state: 'waiting', reason: 'funds', missing: 5n }
const signed: PayoutProgress = { state: 'signed' }
const relayed: PayoutProgress = { state: 'relayed' }
const cancelling: PayoutProgress = { state: 'cancelling' }
const at = (state: 'accepted' | 'settled', isCancelling = false, blueScore = 10n): PayoutProgress => ({
  state,
  transactionId: 'tx',
  blueScore,
  isCancelling,
})
const conflicting = (isCancelling = false): PayoutProgress => ({
  state: 'conflicting',
  transactionId: 'rival',
  blueScore: 20n,
  isCancelling,
})
const cancelled = (transactionId: string | null): PayoutProgress => ({ state: 'cancelled', transactionId })

const stored: PayoutEvent = { type: 'stored', transactionId: 'tx' }
const took = (outcome: 'relayed' | 'unknown'): PayoutEvent => ({ type: 'submitted', transactionId: 'tx', outcome })
const acceptedAt = (blueScore: bigint): PayoutEvent => ({ type: 'accepted', transactionId: 'tx', blueScore })
const accept = acceptedAt(10n)
const rolledBack = (blueScore: bigint): PayoutEvent => ({ type: 'rolled-back', blueScore })
const unsettled: PayoutEvent = { type: 'unsettled', blueScore: 9n }
const conflict: PayoutEvent = { type: 'conflict', transactionId: 'rival', blueScore: 20n }
const cancelRequested: PayoutEvent = { type: 'cancel-requested' }
const replaced: PayoutEvent = { type: 'cancelled', transactionId: 'cancel' }

describe('reducePayout', () => {
  it.each<readonly [string, PayoutProgress, PayoutEvent, PayoutProgress]>([
    ['waits for funds', QUEUED, { type: 'waiting', reason: 'funds', missing: 5n }, waiting],
    ['lacks less than before', waiting, { type: 'waiting', reason: 'funds', missing: 4n }, { ...waiting, missing: 4n }],
    ['is signed from the queue', QUEUED, stored, signed],
    ['is signed after it has waited', waiting, stored, signed],
    ['is relayed once a node takes it', signed, took('relayed'), relayed],
    ['is accepted, also where no node has replied', signed, accept, at('accepted')],
    ['is accepted after it was relayed', relayed, accept, at('accepted')],
    ['is accepted by another block', at('accepted'), acceptedAt(12n), at('accepted', false, 12n)],
    ['is settled', at('accepted'), { type: 'settled' }, at('settled')],
    ['is relayed again after a reorg', at('accepted'), rolledBack(9n), relayed],
    ['is relayed again after a reorg below minConfirmations', at('settled'), unsettled, relayed],
    ['is cancelled before it is signed', waiting, cancelRequested, cancelled(null)],
    ['is cancelling once it is signed', relayed, cancelRequested, cancelling],
    ['is cancelled by a replacement that the chain has', cancelling, replaced, cancelled('cancel')],
    ['is accepted in spite of a cancellation', cancelling, accept, at('accepted', true)],
    ['is cancelling again after a reorg', at('accepted', true), rolledBack(9n), cancelling],
    ['is cancelling again after a reorg of the replacement', cancelled('cancel'), unsettled, cancelling],
    ['conflicts with a transaction that has spent its input', relayed, conflict, conflicting()],
    ['conflicts while it is cancelled', cancelling, conflict, conflicting(true)],
    ['is relayed again where the conflict is undone', conflicting(), rolledBack(19n), relayed],
    ['is accepted where the conflict has lost', conflicting(), accept, at('accepted')],
    ['is signed again after a conflict', conflicting(), stored, signed],
    ['is queued again once it is released', conflicting(), { type: 'released' }, QUEUED],
    ['is to be cancelled while it conflicts', conflicting(), cancelRequested, conflicting(true)],
    ['is cancelled where the next attempt does not pay it', conflicting(true), replaced, cancelled('cancel')],
    ['is cancelled once it is released', conflicting(true), { type: 'released' }, cancelled(null)],
  ])('%s', (_, progress, event, next) => {
    expect(reducePayout(progress, event)).toEqual(next)
  })

  it.each<readonly [string, PayoutProgress, PayoutEvent]>([
    ['a refusal of a node', signed, took('unknown')],
    ['a refusal after it was relayed', relayed, took('unknown')],
    ['the same reason to wait', waiting, { type: 'waiting', reason: 'funds', missing: 5n }],
    ['waiting once it is signed', signed, { type: 'waiting', reason: 'funds', missing: 5n }],
    ['a second acceptance by the same block', at('accepted'), accept],
    ['a rollback above its block', at('accepted'), rolledBack(10n)],
    ['a rollback above its block, settled', at('settled'), { type: 'unsettled', blueScore: 10n }],
    ['a rollback where it is settled: only `unsettled` is counted', at('settled'), rolledBack(9n)],
    ['a cancellation once the chain has it', at('accepted'), cancelRequested],
    ['a second cancellation while it conflicts', conflicting(true), cancelRequested],
    ['a reorg where it was never signed', cancelled(null), unsettled],
    ['acceptance once it is cancelled', cancelled(null), accept],
    ['a release without a conflict', relayed, { type: 'released' }],
    ['the replacement of a transaction that still pays it', relayed, replaced],
    ['storage of a further attempt', relayed, stored],
  ])('keeps the same object for %s', (_, progress, event) => {
    expect(reducePayout(progress, event)).toBe(progress)
  })
})
