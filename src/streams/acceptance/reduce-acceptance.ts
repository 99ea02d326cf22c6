import { findOffChain, prependBlock } from './chain-start.js'
import { recordRemoved, isRemoved } from './removed-blocks.js'
import { applyStep, reconcile, unconfirmed, type ChainStep } from './chain.js'
import { emitGap, backfillStart, recordKnown, recordStep, applyOutcome } from './apply-outcome.js'
import { addsBlocks, joinPages, enqueue, allQueued } from './updates.js'
import {
  INITIAL_ACCEPTANCE,
  type Acceptance,
  type AcceptanceEvent,
  type Linking,
  type CatchingUp,
  type ChainUpdate,
} from './phases.js'

const EMPTY_STEP: ChainStep = { removed: [], added: [] }
const LIVE = { status: 'live' } as const

/** The next state, with the changes to emit; the same object where the event has no meaning. */
export function reduceAcceptance(state: Acceptance, event: AcceptanceEvent): Acceptance {
  const cleared = state.changes.length > 0 || state.gap !== null ? { ...state, changes: [], gap: null } : state
  const next = reduce(cleared, event)
  return next === cleared ? state : next
}

function reduce(state: Acceptance, event: AcceptanceEvent): Acceptance {
  const { phase } = state
  switch (event.type) {
    case 'opened':
      return phase.status === 'idle' ? request(state, []) : state
    case 'closed':
      return phase.status === 'idle' ? state : { ...state, phase: { status: 'idle' }, tries: 0 }
    case 'networkChanged':
      return { ...INITIAL_ACCEPTANCE, requestId: state.requestId }
    case 'retryDue':
      return phase.status === 'backing-off' ? request(state, phase.queued) : state
    case 'notified':
      return receive(state, event.update, event.at)
    case 'sinkReceived':
      return phase.status === 'starting' && event.requestId === state.requestId
        ? applyAll(beginAt(state, event.sink, event.at), phase.queued, event.at)
        : state
    case 'pageReceived':
      if (event.requestId !== state.requestId) return state
      return phase.status === 'catching-up'
        ? applyPage(state, phase, event)
        : phase.status === 'linking'
          ? applyLinkPage(state, phase, event)
          : state
    case 'failed':
      return 'queued' in phase && event.requestId === state.requestId
        ? { ...state, phase: { status: 'backing-off', queued: allQueued(phase) }, tries: state.tries + 1 }
        : state
    case 'refused':
      return 'queued' in phase && event.requestId === state.requestId
        ? handleRefusal(state, allQueued(phase), event)
        : state
  }
}

/**
 * Applies a notification when live, otherwise queues it. Without a chain yet, the first notified block starts it, as
 * the sink would, so that no notification is skipped.
 */
function receive(state: Acceptance, update: ChainUpdate, at: number): Acceptance {
  const { phase } = state
  if (phase.status === 'idle') return state
  if (phase.status === 'live') return applyAll(state, [update], at)
  if (state.chain.length === 0 && addsBlocks(update)) return applyAll({ ...state, phase: LIVE, tries: 0 }, [update], at)
  return { ...state, phase: { ...phase, queued: enqueue(phase.queued, update) } }
}

/**
 * Requests the sink, or the chain after the newest verified block. The response covers the notifications received
 * before the request.
 */
function request(
  state: Acceptance,
  covered: readonly ChainUpdate[],
  from: 'verified' | 'oldest' = 'verified',
): Acceptance {
  const requestId = state.requestId + 1
  const [oldest] = state.chain
  if (oldest === undefined) return { ...state, requestId, phase: { status: 'starting', queued: covered } }
  const verified = state.chain.find(({ hash }) => hash === state.verified)
  const anchor = (from === 'verified' ? (verified ?? oldest) : oldest).hash
  const phase: CatchingUp = { status: 'catching-up', anchor, from: anchor, pages: EMPTY_STEP, covered, queued: [] }
  return { ...state, requestId, phase }
}

const beginAt = (state: Acceptance, sink: string, at: number): Acceptance =>
  emitGap({ ...state, phase: LIVE, tries: 0, chain: [{ hash: sink, accepted: [] }], verified: sink }, at)

/** Applies notifications in order; the first ambiguous one causes a request. */
function applyAll(state: Acceptance, updates: readonly ChainUpdate[], at: number): Acceptance {
  let next = state
  for (const [index, update] of updates.entries()) {
    next = backfillStart(next, update, at)
    const outcome = update === 'dropped' ? 'ambiguous' : advance(next, update)
    if (outcome === 'ambiguous') return request(next, updates.slice(index))
    next = outcome === 'known' ? recordKnown(next, update) : applyOutcome(recordStep(next, update), outcome, at)
  }
  return next
}

const advance = ({ chain, removedBlocks, order }: Acceptance, step: ChainStep): ReturnType<typeof applyStep> =>
  applyStep(chain, step, (hash) => isRemoved(removedBlocks, hash), order)

/** Applies a page. Recorded blocks are reconciled once all of them had the chance to be confirmed. */
function applyPage(state: Acceptance, phase: CatchingUp, { page, at }: Page): Acceptance {
  const pages = joinPages(phase.pages, page)
  const last = page.added.at(-1)?.hash
  const recorded = state.chain.slice(state.chain.findIndex(({ hash }) => hash === phase.anchor) + 1)
  const nextRequest = { requestId: state.requestId + 1, phase: { ...phase, covered: allQueued(phase), queued: [] } }
  if (last !== undefined && unconfirmed(recorded, pages).length > 0) {
    return { ...state, ...nextRequest, phase: { ...nextRequest.phase, from: last, pages } }
  }
  const outcome = reconcile(state.chain, phase.anchor, pages)
  const next = applyOutcome({ ...state, order: 'unproven', verified: outcome.chain.at(-1)?.hash ?? null }, outcome, at)
  if (last !== undefined)
    return { ...next, ...nextRequest, phase: { ...nextRequest.phase, anchor: last, from: last, pages: EMPTY_STEP } }
  const misplaced = unconfirmed(recorded, pages).filter(({ hash }) => !pages.removed.includes(hash))
  if (misplaced.length === 0 || state.priorChanges === 'emitted') return finishCatchUp(next, phase, at)
  const removedBlocks = recordRemoved(next.removedBlocks, [], misplaced)
  return finishCatchUp({ ...next, removedBlocks, misplaced: [...next.misplaced, ...misplaced] }, phase, at)
}

type Page = Pick<Extract<AcceptanceEvent, { readonly type: 'pageReceived' }>, 'page' | 'at'>

/** The chain is complete. A covered notification that is not part of it may lie before the first block. */
function finishCatchUp(state: Acceptance, { covered, queued }: CatchingUp | Linking, at: number): Acceptance {
  const live: Acceptance = { ...state, phase: LIVE, tries: 0 }
  const next = covered.reduce((known, update) => recordKnown(backfillStart(known, update, at), update), live)
  const offChain = findOffChain(next, covered)
  if (offChain === undefined) return applyAll({ ...next, misplaced: [] }, queued, at)
  const requestId = state.requestId + 1
  const phase: Linking = { status: 'linking', offChain, from: offChain.hash, pages: EMPTY_STEP, covered, queued }
  return { ...next, requestId, phase }
}

/** A page after an off-chain block: the block lies before the first one, unless its branch was removed. */
function applyLinkPage(state: Acceptance, phase: Linking, { page, at }: Page): Acceptance {
  const pages = joinPages(phase.pages, page)
  if (pages.removed.length > 0) return dropOffChain(state, phase, at)
  const last = page.added.at(-1)?.hash
  if (last !== undefined && unconfirmed(state.chain, pages).length > 0) {
    return { ...state, requestId: state.requestId + 1, phase: { ...phase, from: last, pages } }
  }
  const outcome = prependBlock(state.chain, phase.offChain, pages)
  const verified = outcome.chain.at(-1)?.hash ?? null
  return finishCatchUp(applyOutcome({ ...state, order: 'unproven', verified }, outcome, at), phase, at)
}

/** The off-chain block is on a removed branch, or unknown to the node. */
const dropOffChain = (state: Acceptance, phase: Linking, at: number): Acceptance =>
  finishCatchUp({ ...state, removedBlocks: recordRemoved(state.removedBlocks, [phase.offChain.hash]) }, phase, at)

/**
 * The node does not know the start block of the request. Tries the oldest remembered one; otherwise the changes since
 * are a gap.
 */
function handleRefusal(state: Acceptance, updates: readonly ChainUpdate[], { error, at }: Refusal): Acceptance {
  const { phase, chain, requestId } = state
  if (phase.status === 'linking') return dropOffChain(state, phase, at)
  if (phase.status === 'catching-up' && phase.anchor !== chain[0]?.hash) return request(state, updates, 'oldest')
  const last = chain.at(-1)
  if (last === undefined) return applyAll({ ...state, phase: LIVE, tries: 0 }, updates, at)
  const pendingGap = { from: last.hash, cause: error }
  const restarted = { ...INITIAL_ACCEPTANCE, requestId, order: 'proven', priorChanges: 'emitted', pendingGap } as const
  return updates.some(addsBlocks) ? applyAll({ ...restarted, phase: LIVE }, updates, at) : request(restarted, updates)
}

type Refusal = Extract<AcceptanceEvent, { readonly type: 'refused' | 'failed' }>
