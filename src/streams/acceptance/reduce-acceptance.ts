import { findStray, leadUp } from './beginning.js'
import { bury, isBuried } from './buried.js'
import { follow, reconcile, unconfirmed, type ChainStep } from './chain.js'
import { declare, makeUp, note, stepOn, tell } from './learn.js'
import { isGrowth, joinPages, queue, waiting } from './told.js'
import {
  NOTHING_ACCEPTED,
  type Acceptance,
  type AcceptanceEvent,
  type Leading,
  type Pulling,
  type Told,
} from './phases.js'

const NOTHING: ChainStep = { removed: [], added: [] }
const LIVE = { step: 'live' } as const

/** What is known of the chain after `event`, and what is to be told of it; the very same object where it means nothing. */
export function reduceAcceptance(state: Acceptance, event: AcceptanceEvent): Acceptance {
  const quiet = state.news.length > 0 || state.gap !== null ? { ...state, news: [], gap: null } : state
  const next = reduce(quiet, event)
  return next === quiet ? state : next
}

function reduce(state: Acceptance, event: AcceptanceEvent): Acceptance {
  const { phase } = state
  switch (event.type) {
    case 'opened':
      return phase.step === 'idle' ? ask(state, []) : state
    case 'closed':
      return phase.step === 'idle' ? state : { ...state, phase: { step: 'idle' }, tries: 0 }
    case 'networkChanged':
      return { ...NOTHING_ACCEPTED, asked: state.asked }
    case 'retryDue':
      return phase.step === 'resting' ? ask(state, phase.told) : state
    case 'told':
      return hear(state, event.told, event.at)
    case 'sinkAnswered':
      return phase.step === 'starting' && event.asked === state.asked
        ? take(beginAt(state, event.sink, event.at), phase.told, event.at)
        : state
    case 'pulled':
      if (event.asked !== state.asked) return state
      return phase.step === 'pulling'
        ? turnPage(state, phase, event)
        : phase.step === 'leading'
          ? lead(state, phase, event)
          : state
    case 'failed':
      return 'told' in phase && event.asked === state.asked
        ? { ...state, phase: { step: 'resting', told: waiting(phase) }, tries: state.tries + 1 }
        : state
    case 'refused':
      return 'told' in phase && event.asked === state.asked ? giveUp(state, waiting(phase), event) : state
  }
}

/**
 * What is told is taken, or waits for the answer that is under way. Where there is nothing to go on from yet, the first
 * that is told is as good a beginning as the sink, and nothing told is passed over.
 */
function hear(state: Acceptance, told: Told, at: number): Acceptance {
  const { phase } = state
  if (phase.step === 'idle') return state
  if (phase.step === 'live') return take(state, [told], at)
  if (state.chain.length === 0 && isGrowth(told)) return take({ ...state, phase: LIVE, tries: 0 }, [told], at)
  return { ...state, phase: { ...phase, told: queue(phase.told, told) } }
}

/**
 * Asks where the chain stands, or how it goes on from what is remembered for certain. The answer will cover what was told
 * before the question was put.
 */
function ask(state: Acceptance, covered: readonly Told[], from: 'verified' | 'oldest' = 'verified'): Acceptance {
  const asked = state.asked + 1
  const [oldest] = state.chain
  if (oldest === undefined) return { ...state, asked, phase: { step: 'starting', told: covered } }
  const verified = state.chain.find(({ hash }) => hash === state.verified)
  const anchor = (from === 'verified' ? (verified ?? oldest) : oldest).hash
  return { ...state, asked, phase: { step: 'pulling', anchor, from: anchor, pages: NOTHING, covered, told: [] } }
}

const beginAt = (state: Acceptance, sink: string, at: number): Acceptance =>
  declare({ ...state, phase: LIVE, tries: 0, chain: [{ hash: sink, accepted: [] }], verified: sink }, at)

/** Takes what was told, one after the other; with the first that leaves a doubt the node is asked. */
function take(state: Acceptance, told: readonly Told[], at: number): Acceptance {
  let next = state
  for (const [index, step] of told.entries()) {
    next = makeUp(next, step, at)
    const outcome = step === 'missed' ? 'doubtful' : advance(next, step)
    if (outcome === 'doubtful') return ask(next, told.slice(index))
    next = outcome === 'known' ? note(next, step) : tell(stepOn(next, step), outcome, at)
  }
  return next
}

/** What a step makes of the chain as it is known. */
const advance = ({ chain, buried, order }: Acceptance, step: ChainStep): ReturnType<typeof follow> =>
  follow(chain, step, (hash) => isBuried(buried, hash), order)

/** A page of the chain has come. What was recorded is judged once all of it had the chance to be confirmed. */
function turnPage(state: Acceptance, phase: Pulling, { page, at }: Page): Acceptance {
  const pages = joinPages(phase.pages, page)
  const last = page.added.at(-1)?.hash
  const recorded = state.chain.slice(state.chain.findIndex(({ hash }) => hash === phase.anchor) + 1)
  const goOn = { asked: state.asked + 1, phase: { ...phase, covered: waiting(phase), told: [] } }
  if (last !== undefined && unconfirmed(recorded, pages).length > 0) {
    return { ...state, ...goOn, phase: { ...goOn.phase, from: last, pages } }
  }
  const outcome = reconcile(state.chain, phase.anchor, pages)
  const next = tell({ ...state, order: 'unproven', verified: outcome.chain.at(-1)?.hash ?? null }, outcome, at)
  if (last !== undefined)
    return { ...next, ...goOn, phase: { ...goOn.phase, anchor: last, from: last, pages: NOTHING } }
  const misplaced = unconfirmed(recorded, pages).filter(({ hash }) => !pages.removed.includes(hash))
  if (misplaced.length === 0 || state.past === 'told') return conclude(next, phase, at)
  const buried = bury(next.buried, [], misplaced)
  return conclude({ ...next, buried, misplaced: [...next.misplaced, ...misplaced] }, phase, at)
}

type Page = Pick<Extract<AcceptanceEvent, { readonly type: 'pulled' }>, 'page' | 'at'>

/** All is known that was asked for. What was told before and is no part of it may stand before the beginning. */
function conclude(state: Acceptance, { covered, told }: Pick<Pulling, 'covered' | 'told'>, at: number): Acceptance {
  const live: Acceptance = { ...state, phase: LIVE, tries: 0 }
  const next = covered.reduce((known, one) => note(makeUp(known, one, at), one), live)
  const stray = findStray(next, covered)
  if (stray === undefined) return take({ ...next, misplaced: [] }, told, at)
  const asked = state.asked + 1
  return { ...next, asked, phase: { step: 'leading', stray, from: stray.hash, pages: NOTHING, covered, told } }
}

/** A page of what comes after a stray block: it stands before the beginning, unless its branch is lost. */
function lead(state: Acceptance, phase: Leading, { page, at }: Page): Acceptance {
  const pages = joinPages(phase.pages, page)
  if (pages.removed.length > 0) return forsake(state, phase, at)
  const last = page.added.at(-1)?.hash
  if (last !== undefined && unconfirmed(state.chain, pages).length > 0) {
    return { ...state, asked: state.asked + 1, phase: { ...phase, from: last, pages } }
  }
  const outcome = leadUp(state.chain, phase.stray, pages)
  const verified = outcome.chain.at(-1)?.hash ?? null
  return conclude(tell({ ...state, order: 'unproven', verified }, outcome, at), phase, at)
}

/** A stray block belongs to a branch that is lost, or to nothing that the node knows. */
const forsake = (state: Acceptance, phase: Leading, at: number): Acceptance =>
  conclude({ ...state, buried: bury(state.buried, [phase.stray.hash]) }, phase, at)

/** The node does not know the block we asked from. An older one may do; else what happened since is lost. */
function giveUp(state: Acceptance, told: readonly Told[], { error, at }: Refusal): Acceptance {
  const { phase, chain, asked } = state
  if (phase.step === 'leading') return forsake(state, phase, at)
  if (phase.step === 'pulling' && phase.anchor !== chain[0]?.hash) return ask(state, told, 'oldest')
  const last = chain.at(-1)
  if (last === undefined) return take({ ...state, phase: LIVE, tries: 0 }, told, at)
  const lost = { from: last.hash, cause: error }
  const anew: Acceptance = { ...NOTHING_ACCEPTED, asked, order: 'proven', past: 'told', lost }
  return told.some(isGrowth) ? take({ ...anew, phase: LIVE }, told, at) : ask(anew, told)
}

type Refusal = Extract<AcceptanceEvent, { readonly type: 'refused' | 'failed' }>
