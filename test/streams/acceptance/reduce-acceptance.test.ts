import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import type { ChainBlock, ChainStep } from '../../../src/streams/acceptance/chain.js'
import {
  NOTHING_ACCEPTED,
  knownUpTo,
  type Acceptance,
  type AcceptanceEvent,
  type Told,
} from '../../../src/streams/acceptance/phases.js'
import { reduceAcceptance } from '../../../src/streams/acceptance/reduce-acceptance.js'

/** Block `a` accepts transaction `ta`. */
const block = (hash: string): ChainBlock => ({ hash, accepted: [`t${hash}`] })
const step = (added: string, removed = ''): ChainStep => ({
  removed: Array.from(removed),
  added: Array.from(added, block),
})
const told = (added: string, removed = ''): AcceptanceEvent => ({ type: 'told', told: step(added, removed), at: 1 })
const MISSED: AcceptanceEvent = { type: 'told', told: 'missed', at: 1 }
const OPENED: AcceptanceEvent = { type: 'opened' }
const CLOSED: AcceptanceEvent = { type: 'closed' }
const SWITCHED: AcceptanceEvent = { type: 'networkChanged' }
const DUE: AcceptanceEvent = { type: 'retryDue' }
const error = new ChainError('cannot find header')
const sink = (hash: string, asked = 1): AcceptanceEvent => ({ type: 'sinkAnswered', asked, sink: hash, at: 1 })
const page = (asked: number, added: string, removed = ''): AcceptanceEvent => ({
  type: 'pulled',
  asked,
  page: step(added, removed),
  at: 1,
})
const failed = (asked: number): AcceptanceEvent => ({ type: 'failed', asked, error, at: 1 })
const refused = (asked: number): AcceptanceEvent => ({ type: 'refused', asked, error, at: 1 })

const after = (...events: readonly AcceptanceEvent[]): Acceptance => events.reduce(reduceAcceptance, NOTHING_ACCEPTED)

/** A state in one line: the step, what it waits with, the chain, what it tells, and a gap. */
function show({ phase, chain, news, gap, lost }: Acceptance): string {
  const from = 'from' in phase ? ` from ${phase.from}` : ''
  const waiting = 'told' in phase && phase.told.length > 0 ? ` (${phase.told.map(showTold).join(' ')})` : ''
  const says = news.map(({ type, transactionId }) => (type === 'accepted' ? '+' : '-') + transactionId).join(' ')
  const holes = [gap === null ? '' : `gap ${gap.from}..${gap.to}`, lost === null ? '' : `lost after ${lost.from}`]
  return [phase.step + from + waiting, chain.map(({ hash }) => hash).join(''), says, ...holes]
    .filter(Boolean)
    .join(' | ')
}

const showTold = (one: Told): string =>
  one === 'missed'
    ? '?'
    : `${one.removed.map((hash) => `-${hash}`).join('')}${one.added.map(({ hash }) => hash).join('')}`

/** States to start from, each with how it came about. */
const IDLE = NOTHING_ACCEPTED
const STARTING = after(OPENED)
const RESTING = after(OPENED, failed(1))
const LIVE = after(OPENED, sink('a'))
const PULLING = after(OPENED, sink('a'), told('b'))
const SURE = after(OPENED, sink('a'), told('b'), page(2, 'b'), page(3, ''), told('b')) // in step with the node
const AWAY = reduceAcceptance(SURE, CLOSED)
const BACK = reduceAcceptance(AWAY, OPENED)

describe('what is known of the chain', () => {
  it.each<[string, Acceptance, AcceptanceEvent, string]>([
    ['nobody tells, and the node begins to', IDLE, OPENED, 'starting'],
    ['the sink answers: there it begins', STARTING, sink('a'), 'live | a'],
    ['the first is told before the sink answers: it begins with that', STARTING, told('bc'), 'live | bc | +tb +tc'],
    ['something unreadable comes first: the sink will do', STARTING, MISSED, 'starting (?)'],
    ['the sink is not answered', STARTING, failed(1), 'resting'],
    ['the sink is refused: the first that is told will do', STARTING, refused(1), 'live'],
    ['the first is told while it rests', RESTING, told('b'), 'live | b | +tb'],
    ['it has rested', RESTING, DUE, 'starting'],
    ['something is told of which nobody knows where it belongs', LIVE, told('b'), 'pulling from a | a'],
    ['the beginning itself is told, late', LIVE, told('a'), 'live | a | +ta'],
    ['the beginning is replaced, of which nothing was said', LIVE, told('xy', 'a'), 'live | xy | +tx +ty'],
    ['and more before it', LIVE, told('xy', 'a0'), 'live | xy | +tx +ty'],
    ['something else is told meanwhile', PULLING, told('c'), 'pulling from a (c) | a'],
    ['a page comes', PULLING, page(2, 'b'), 'pulling from b | ab | +tb'],
    ['a page of another question comes', PULLING, page(1, 'zz'), 'pulling from a | a'],
    ['the page is not answered', PULLING, failed(2), 'resting (b) | a'],
    ['the page is refused: it goes on with what is told', PULLING, refused(2), 'live | b | +tb | gap a..b'],
    ['a block follows', SURE, told('c'), 'live | abc | +tc'],
    ['a block is told twice', SURE, told('b'), 'live | ab'],
    ['nothing is told, though the virtual moved', SURE, told(''), 'live | ab'],
    ['a reorg: first taken back, then accepted anew', SURE, told('xy', 'b'), 'live | axy | -tb +tx +ty'],
    ['a reorg down to the beginning', SURE, told('xy', 'ba'), 'live | xy | -tb +tx +ty'],
    ['a reorg that fits nothing known', SURE, told('y', 'x'), 'pulling from b | ab'],
    ['something was missed', SURE, MISSED, 'pulling from b | ab'],
    ['the node tells no longer', SURE, CLOSED, 'idle | ab'],
    ['the node tells again', AWAY, OPENED, 'pulling from b | ab'],
    ['what came meanwhile', BACK, page(4, 'cd'), 'pulling from d | abcd | +tc +td'],
    ['what was replaced meanwhile', BACK, page(4, 'xy', 'b'), 'pulling from y | axy | -tb +tx +ty'],
    ['nothing came meanwhile', BACK, page(4, ''), 'live | ab'],
    ['the node does not know the newest any more: the oldest may do', BACK, refused(4), 'pulling from a | ab'],
    ['another network is sought', SURE, SWITCHED, 'idle'],
  ])('%s', (_, state, event, expected) => {
    expect(show(reduceAcceptance(state, event))).toBe(expected)
  })

  it.each<[string, Acceptance, AcceptanceEvent]>([
    ['an opening while it is open', SURE, OPENED],
    ['a closing while it is closed', AWAY, CLOSED],
    ['the end of a rest that nobody takes', SURE, DUE],
    ['what is told to nobody', AWAY, told('c')],
    ['a sink that nobody asked for', SURE, sink('z', 3)],
    ['the sink of an older question', STARTING, sink('z', 0)],
    ['a page that nobody waits for', SURE, page(3, 'c')],
    ['a failure that comes late', SURE, failed(3)],
    ['a refusal that comes late', BACK, refused(3)],
  ])('takes no notice of %s: the same object', (_, state, event) => {
    expect(reduceAcceptance(reduceAcceptance(state, { type: 'retryDue' }), event)).toBe(
      reduceAcceptance(state, { type: 'retryDue' }),
    )
  })
})

describe('what was told of before the beginning is known', () => {
  /** The node told of `a`, `b` and `c`; its answer to where the chain stands came before all that. */
  const OVERTAKEN = after(OPENED, sink('c'), told('a'), told('b'), told('c'), page(2, ''))
  /** It told of `b` before `a`. */
  const SWAPPED = after(OPENED, told('b'), told('a'), page(2, ''))
  it.each<[string, Acceptance, AcceptanceEvent, string]>([
    ['an answer overtook it: it leads to the beginning', OVERTAKEN, page(3, 'bc'), 'live | abc | +ta +tb +tc'],
    ['a page of that', OVERTAKEN, page(3, 'b'), 'leading from b (b c) | c'],
    ['its branch is lost', OVERTAKEN, page(3, 'c', 'a'), 'pulling from c | c'],
    ['the node does not know it', OVERTAKEN, refused(3), 'pulling from c | c'],
    ['the node did not answer', OVERTAKEN, failed(3), 'resting (a b c) | c'],
    ['the next was told before it', SWAPPED, page(3, 'b'), 'live | ab | +ta'],
    ['the beginning has left the chain meanwhile', OVERTAKEN, page(3, 'bd'), 'leading from d (b c) | c'],
  ])('%s', (_, state, event, expected) => {
    expect(show(reduceAcceptance(state, event))).toBe(expected)
  })
})

describe('what was told of, and does not stand where it was recorded', () => {
  /** The node told of `c`; after an outage it says that `d` follows `b`. Whether `c` stands before the beginning is asked. */
  const MISPLACED = [told('c'), CLOSED, OPENED, page(4, 'd'), page(5, '')].reduce(reduceAcceptance, SURE)
  const ASKED_AGAIN = [failed(6), DUE].reduce(reduceAcceptance, MISPLACED)

  it('is looked for, and again where the node did not answer, or was lost', () => {
    expect(show(MISPLACED)).toBe('leading from c | abd | -tc +td')
    for (const event of [failed(6), CLOSED]) {
      const again = [event, DUE, OPENED, page(7, '')].reduce(reduceAcceptance, MISPLACED)
      expect(show(again)).toBe('leading from c | abd')
    }
  })

  it('is no longer looked for once its branch is known to be lost', () => {
    const known = reduceAcceptance(MISPLACED, page(6, 'd', 'c'))
    expect(show(known)).toBe('live | abd')
    expect(known.misplaced).toEqual([])
  })

  it('is nothing to go on from behind a gap: it was taken back', () => {
    const lost = [refused(7), refused(8)].reduce(reduceAcceptance, ASKED_AGAIN)
    expect(show(lost)).toBe('starting | lost after d')
    expect(show(reduceAcceptance(lost, told('k')))).toBe('live | k | +tk | gap d..k')
  })
})

describe('a gap', () => {
  const lost = after(OPENED, sink('a'), CLOSED, OPENED, refused(2))

  it('is declared once it is known where things go on', () => {
    expect(show(lost)).toBe('starting | lost after a')
    expect(show(reduceAcceptance(lost, sink('k', 3)))).toBe('live | k | gap a..k')
    expect(show(reduceAcceptance(lost, told('lm')))).toBe('live | lm | +tl +tm | gap a..l')
  })

  it('survives a drop before that, and is declared once', () => {
    const found = [CLOSED, OPENED, sink('k', 4)].reduce(reduceAcceptance, lost)
    expect(show(found)).toBe('live | k | gap a..k')
    expect(reduceAcceptance(found, told('k'))).toBe(found)
  })

  it('is where more has left the chain than is remembered', () => {
    const long = Array.from({ length: 1_200 }, (_, n) => ({ hash: `b${n}`, accepted: [`t${n}`] }))
    const state = [OPENED, { type: 'told', told: { removed: [], added: long }, at: 1 } as const].reduce(
      reduceAcceptance,
      NOTHING_ACCEPTED,
    )
    expect(state.chain).toHaveLength(1_000)
    const removed = long.map(({ hash }) => hash).reverse()
    const reorg = (depth: number): Acceptance =>
      reduceAcceptance(state, { type: 'told', told: { removed: removed.slice(0, depth), added: [block('x')] }, at: 1 })
    expect(reorg(1_000).gap).toBeNull()
    expect(reorg(1_000).news.filter(({ type }) => type === 'reverted')).toHaveLength(1_000)
    expect(reorg(1_001)).toMatchObject({ gap: { from: 'b1199', to: 'x' } })
    expect(reorg(1_001).news).toHaveLength(1_001)
  })
})

describe('one who has heard of everything up to a block', () => {
  const opened = reduceAcceptance(knownUpTo('f'), OPENED)

  it('hears what was accepted since', () => {
    expect(show(opened)).toBe('pulling from f | f')
    expect(show(reduceAcceptance(opened, page(1, 'gh')))).toBe('pulling from h | fgh | +tg +th')
  })

  it('is told of a gap where that block has left the chain, for nobody remembers what it accepted', () => {
    expect(show(reduceAcceptance(opened, page(1, 'xy', 'f')))).toBe('pulling from y | xy | +tx +ty | gap f..x')
  })

  it('is told of a gap where the node does not know the block', () => {
    const given = [refused(1), sink('k', 2)].reduce(reduceAcceptance, opened)
    expect(show(given)).toBe('live | k | gap f..k')
  })
})

it('keeps no more waiting than is worth it: the answer will tell', () => {
  const waiting = Array.from({ length: 1_001 }, (_, n) => told(String.fromCharCode(0x4e00 + n))).reduce(
    reduceAcceptance,
    PULLING,
  )
  expect(show(waiting)).toBe('pulling from a (?) | a')
})
