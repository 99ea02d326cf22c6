import { MEMORY, follow, precede, reconcile, type ChainOutcome, type ChainStep } from './chain.js'
import { forgotten, toGap } from './gap.js'
import { bury, isAtTip, isGrowth, joinPages, queue, removedBy, toOrder, waiting } from './told.js'
import { NOTHING_ACCEPTED, type Acceptance, type AcceptanceEvent, type Pulling, type Told } from './phases.js'

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
      return phase.step === 'pulling' && event.asked === state.asked ? turnPage(state, phase, event) : state
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
    const outcome = step === 'missed' ? 'doubtful' : follow(next.chain, step, next.buried, next.order)
    if (outcome === 'doubtful') return ask(next, told.slice(index))
    next = outcome === 'known' ? note(next, step) : tell(stepOn(next, step), outcome, at)
  }
  return next
}

/** What a step that is taken says besides: which blocks are gone, also those that were never known, and what follows. */
const stepOn = (state: Acceptance, told: Told): Acceptance => ({
  ...state,
  order: toOrder(state.order, told),
  buried: bury(state.buried, removedBy(told)),
})

/** Says what was told of the beginning, where it was told too late to begin with. */
function makeUp(state: Acceptance, told: Told, at: number): Acceptance {
  const outcome = state.past === 'told' || told === 'missed' ? null : precede(state.chain, told)
  return outcome === null ? state : tell(state, outcome, at)
}

/** What can be learnt of something told that brought nothing new: what has left the chain, and whether we are in step. */
function note(state: Acceptance, told: Told): Acceptance {
  const buried = bury(state.buried, removedBy(told), state.chain)
  const order = isAtTip(state.chain, told) ? 'proven' : state.order
  return buried === state.buried && order === state.order ? state : { ...state, buried, order }
}

/** A page of the chain has come. What was recorded is judged once all of it had the chance to be confirmed. */
function turnPage(
  state: Acceptance,
  phase: Pulling,
  { page, at }: { readonly page: ChainStep; readonly at: number },
): Acceptance {
  const pages = joinPages(phase.pages, page)
  const last = page.added.at(-1)?.hash
  const added = new Set(pages.added.map(({ hash }) => hash))
  const recorded = state.chain.slice(state.chain.findIndex(({ hash }) => hash === phase.anchor) + 1)
  const goOn = { asked: state.asked + 1, phase: { ...phase, covered: waiting(phase), told: [] } }
  if (last !== undefined && recorded.some(({ hash }) => !added.has(hash))) {
    return { ...state, ...goOn, phase: { ...goOn.phase, from: last, pages } }
  }
  const outcome = reconcile(state.chain, phase.anchor, pages)
  const next = tell({ ...state, order: 'unproven', verified: outcome.chain.at(-1)?.hash ?? null }, outcome, at)
  if (last !== undefined)
    return { ...next, ...goOn, phase: { ...goOn.phase, anchor: last, from: last, pages: NOTHING } }
  const live: Acceptance = { ...next, phase: LIVE, tries: 0 }
  return take(phase.covered.reduce(note, live), phase.told, at)
}

/** The node does not know the block we asked from. An older one may do; else what happened since is lost. */
function giveUp(state: Acceptance, told: readonly Told[], { error, at }: Refusal): Acceptance {
  const { phase, chain, asked } = state
  if (phase.step === 'pulling' && phase.anchor !== chain[0]?.hash) return ask(state, told, 'oldest')
  const last = chain.at(-1)
  if (last === undefined) return take({ ...state, phase: LIVE, tries: 0 }, told, at)
  const lost = { from: last.hash, cause: error }
  const anew: Acceptance = { ...NOTHING_ACCEPTED, asked, order: 'proven', past: 'told', lost }
  return told.some(isGrowth) ? take({ ...anew, phase: LIVE }, told, at) : ask(anew, told)
}

type Refusal = Extract<AcceptanceEvent, { readonly type: 'refused' | 'failed' }>

function tell(state: Acceptance, { chain, left, joined, changes, depth }: ChainOutcome, at: number): Acceptance {
  const last = state.chain.at(-1)?.hash
  const isForgotten = depth === 'forgotten' && state.past === 'told' && last !== undefined
  const next: Acceptance = {
    ...state,
    chain,
    buried: bury(
      state.buried,
      left.map(({ hash }) => hash),
      joined,
    ),
    past: chain.length === MEMORY ? 'told' : state.past,
    news: [...state.news, ...changes],
    lost: isForgotten ? { from: last, cause: forgotten() } : state.lost,
  }
  return declare(next, at)
}

/** Tells of what was lost, once it is known where things go on. */
function declare(state: Acceptance, at: number): Acceptance {
  const { lost, chain } = state
  if (lost === null || chain.length === 0) return state
  return { ...state, lost: null, gap: toGap(lost.from, chain, lost.cause, at) }
}
