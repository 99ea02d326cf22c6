import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import type { ChainBlock, ChainStep } from '../../../src/streams/acceptance/chain.js'
import {
  INITIAL_ACCEPTANCE,
  acceptanceAfter,
  type Acceptance,
  type AcceptanceEvent,
  type ChainUpdate,
} from '../../../src/streams/acceptance/phases.js'
import { reduceAcceptance } from '../../../src/streams/acceptance/reduce-acceptance.js'

/** Block `a` accepts transaction `ta`. */
const block = (hash: string): ChainBlock => ({ hash, accepted: [`t${hash}`] })
const step = (added: string, removed = ''): ChainStep => ({
  removed: Array.from(removed),
  added: Array.from(added, block),
})
const notified = (added: string, removed = ''): AcceptanceEvent => ({
  type: 'notified',
  update: step(added, removed),
  at: 1,
})
const DROPPED: AcceptanceEvent = { type: 'notified', update: 'dropped', at: 1 }
const OPENED: AcceptanceEvent = { type: 'opened' }
const CLOSED: AcceptanceEvent = { type: 'closed' }
const SWITCHED: AcceptanceEvent = { type: 'networkChanged' }
const DUE: AcceptanceEvent = { type: 'retryDue' }
const error = new ChainError('cannot find header')
const sink = (hash: string, requestId = 1): AcceptanceEvent => ({ type: 'sinkReceived', requestId, sink: hash, at: 1 })
const page = (requestId: number, added: string, removed = ''): AcceptanceEvent => ({
  type: 'pageReceived',
  requestId,
  page: step(added, removed),
  at: 1,
})
const failed = (requestId: number): AcceptanceEvent => ({ type: 'failed', requestId, error, at: 1 })
const refused = (requestId: number): AcceptanceEvent => ({ type: 'refused', requestId, error, at: 1 })

const after = (...events: readonly AcceptanceEvent[]): Acceptance => events.reduce(reduceAcceptance, INITIAL_ACCEPTANCE)

/** A state in one line: phase, queue, chain, changes, gaps. */
function show({ phase, chain, changes, gap, pendingGap }: Acceptance): string {
  const from = 'from' in phase ? ` from ${phase.from}` : ''
  const waiting = 'queued' in phase && phase.queued.length > 0 ? ` (${phase.queued.map(showUpdate).join(' ')})` : ''
  const emits = changes.map(({ type, transactionId }) => (type === 'accepted' ? '+' : '-') + transactionId).join(' ')
  const gaps = [
    gap === null ? '' : `gap ${gap.from}..${gap.to}`,
    pendingGap === null ? '' : `pending gap after ${pendingGap.from}`,
  ]
  return [phase.status + from + waiting, chain.map(({ hash }) => hash).join(''), emits, ...gaps]
    .filter(Boolean)
    .join(' | ')
}

const showUpdate = (update: ChainUpdate): string =>
  update === 'dropped'
    ? '?'
    : `${update.removed.map((hash) => `-${hash}`).join('')}${update.added.map(({ hash }) => hash).join('')}`

const IDLE = INITIAL_ACCEPTANCE
const STARTING = after(OPENED)
const BACKING_OFF = after(OPENED, failed(1))
const LIVE = after(OPENED, sink('a'))
const CATCHING_UP = after(OPENED, sink('a'), notified('b'))
const IN_SYNC = after(OPENED, sink('a'), notified('b'), page(2, 'b'), page(3, ''), notified('b'))
const CLOSED_IN_SYNC = reduceAcceptance(IN_SYNC, CLOSED)
const REOPENED = reduceAcceptance(CLOSED_IN_SYNC, OPENED)

describe('reduceAcceptance', () => {
  it.each<[string, Acceptance, AcceptanceEvent, string]>([
    ['starts when subscribed', IDLE, OPENED, 'starting'],
    ['begins at the sink', STARTING, sink('a'), 'live | a'],
    ['begins at a block notified before the sink response', STARTING, notified('bc'), 'live | bc | +tb +tc'],
    ['keeps waiting for the sink after a dropped notification', STARTING, DROPPED, 'starting (?)'],
    ['backs off when the sink request fails', STARTING, failed(1), 'backing-off'],
    ['begins with the next notification when the sink is refused', STARTING, refused(1), 'live'],
    ['begins at a block notified during the backoff', BACKING_OFF, notified('b'), 'live | b | +tb'],
    ['requests the sink again after the backoff', BACKING_OFF, DUE, 'starting'],
    ['catches up on a notification of unknown position', LIVE, notified('b'), 'catching-up from a | a'],
    ['applies a late notification of the first block', LIVE, notified('a'), 'live | a | +ta'],
    ['replaces the first block, whose content is unknown', LIVE, notified('xy', 'a'), 'live | xy | +tx +ty'],
    ['replaces the first block and blocks before it', LIVE, notified('xy', 'a0'), 'live | xy | +tx +ty'],
    ['queues notifications while catching up', CATCHING_UP, notified('c'), 'catching-up from a (c) | a'],
    ['applies a page', CATCHING_UP, page(2, 'b'), 'catching-up from b | ab | +tb'],
    ['ignores a page of another request', CATCHING_UP, page(1, 'zz'), 'catching-up from a | a'],
    ['backs off when the page request fails', CATCHING_UP, failed(2), 'backing-off (b) | a'],
    [
      'reports a gap and continues with notifications when the page is refused',
      CATCHING_UP,
      refused(2),
      'live | b | +tb | gap a..b',
    ],
    ['applies the next block', IN_SYNC, notified('c'), 'live | abc | +tc'],
    ['ignores a repeated block', IN_SYNC, notified('b'), 'live | ab'],
    ['ignores an empty notification', IN_SYNC, notified(''), 'live | ab'],
    ['applies a reorg: reverts first, then accepts', IN_SYNC, notified('xy', 'b'), 'live | axy | -tb +tx +ty'],
    ['applies a reorg down to the first block', IN_SYNC, notified('xy', 'ba'), 'live | xy | -tb +tx +ty'],
    ['catches up on a reorg that fits nothing known', IN_SYNC, notified('y', 'x'), 'catching-up from b | ab'],
    ['catches up after a dropped notification', IN_SYNC, DROPPED, 'catching-up from b | ab'],
    ['keeps the chain when unsubscribed', IN_SYNC, CLOSED, 'idle | ab'],
    ['catches up when subscribed again', CLOSED_IN_SYNC, OPENED, 'catching-up from b | ab'],
    ['applies blocks added during an outage', REOPENED, page(4, 'cd'), 'catching-up from d | abcd | +tc +td'],
    ['applies a reorg during an outage', REOPENED, page(4, 'xy', 'b'), 'catching-up from y | axy | -tb +tx +ty'],
    ['is live after an outage without changes', REOPENED, page(4, ''), 'live | ab'],
    [
      'falls back to the oldest block when the newest is unknown to the node',
      REOPENED,
      refused(4),
      'catching-up from a | ab',
    ],
    ['starts over on another network', IN_SYNC, SWITCHED, 'idle'],
  ])('%s', (_, state, event, expected) => {
    expect(show(reduceAcceptance(state, event))).toBe(expected)
  })

  it.each<[string, Acceptance, AcceptanceEvent]>([
    ['an opening while open', IN_SYNC, OPENED],
    ['a closing while closed', CLOSED_IN_SYNC, CLOSED],
    ['a retry that is not due', IN_SYNC, DUE],
    ['a notification while closed', CLOSED_IN_SYNC, notified('c')],
    ['a sink that was not requested', IN_SYNC, sink('z', 3)],
    ['the sink of an older request', STARTING, sink('z', 0)],
    ['a page that was not requested', IN_SYNC, page(3, 'c')],
    ['a late failure', IN_SYNC, failed(3)],
    ['a late refusal', REOPENED, refused(3)],
  ])('returns the same object for %s', (_, state, event) => {
    expect(reduceAcceptance(reduceAcceptance(state, { type: 'retryDue' }), event)).toBe(
      reduceAcceptance(state, { type: 'retryDue' }),
    )
  })
})

describe('notified blocks before the first block', () => {
  /** `a`, `b` and `c` are notified after the sink response, which was sent after them. */
  const REORDERED = after(OPENED, sink('c'), notified('a'), notified('b'), notified('c'), page(2, ''))
  /** `b` is notified before `a`. */
  const SWAPPED = after(OPENED, notified('b'), notified('a'), page(2, ''))
  it.each<[string, Acceptance, AcceptanceEvent, string]>([
    ['are linked after a reordered sink response', REORDERED, page(3, 'bc'), 'live | abc | +ta +tb +tc'],
    ['apply further pages of the link', REORDERED, page(3, 'b'), 'linking from b (b c) | c'],
    ['are dropped on a removed branch', REORDERED, page(3, 'c', 'a'), 'catching-up from c | c'],
    ['are dropped when unknown to the node', REORDERED, refused(3), 'catching-up from c | c'],
    ['are retried when the request fails', REORDERED, failed(3), 'backing-off (a b c) | c'],
    ['are linked when two notifications were swapped', SWAPPED, page(3, 'b'), 'live | ab | +ta'],
    ['are linked though the first block has left the chain', REORDERED, page(3, 'bd'), 'linking from d (b c) | c'],
  ])('%s', (_, state, event, expected) => {
    expect(show(reduceAcceptance(state, event))).toBe(expected)
  })
})

describe('misplaced blocks', () => {
  /**
   * `c` is notified; after an outage the response has `d` after `b`. Requests whether `c` lies before the first block.
   */
  const MISPLACED = [notified('c'), CLOSED, OPENED, page(4, 'd'), page(5, '')].reduce(reduceAcceptance, IN_SYNC)
  const RETRIED = [failed(6), DUE].reduce(reduceAcceptance, MISPLACED)

  it('are requested, and again after a failure or a lost connection', () => {
    expect(show(MISPLACED)).toBe('linking from c | abd | -tc +td')
    for (const event of [failed(6), CLOSED]) {
      const again = [event, DUE, OPENED, page(7, '')].reduce(reduceAcceptance, MISPLACED)
      expect(show(again)).toBe('linking from c | abd')
    }
  })

  it('are no longer requested once their branch is removed', () => {
    const known = reduceAcceptance(MISPLACED, page(6, 'd', 'c'))
    expect(show(known)).toBe('live | abd')
    expect(known.misplaced).toEqual([])
  })

  it('are dropped by a gap, as they were reverted', () => {
    const withGap = [refused(7), refused(8)].reduce(reduceAcceptance, RETRIED)
    expect(show(withGap)).toBe('starting | pending gap after d')
    expect(show(reduceAcceptance(withGap, notified('k')))).toBe('live | k | +tk | gap d..k')
  })
})

describe('a gap', () => {
  const withGap = after(OPENED, sink('a'), CLOSED, OPENED, refused(2))

  it('is emitted once the block after it is known', () => {
    expect(show(withGap)).toBe('starting | pending gap after a')
    expect(show(reduceAcceptance(withGap, sink('k', 3)))).toBe('live | k | gap a..k')
    expect(show(reduceAcceptance(withGap, notified('lm')))).toBe('live | lm | +tl +tm | gap a..l')
  })

  it('survives a lost connection, and is emitted once', () => {
    const found = [CLOSED, OPENED, sink('k', 4)].reduce(reduceAcceptance, withGap)
    expect(show(found)).toBe('live | k | gap a..k')
    expect(reduceAcceptance(found, notified('k'))).toBe(found)
  })

  it('is emitted where more blocks have left the chain than are remembered', () => {
    const long = Array.from({ length: 1_200 }, (_, n) => ({ hash: `b${n}`, accepted: [`t${n}`] }))
    const state = [OPENED, { type: 'notified', update: { removed: [], added: long }, at: 1 } as const].reduce(
      reduceAcceptance,
      INITIAL_ACCEPTANCE,
    )
    expect(state.chain).toHaveLength(1_000)
    const removed = long.map(({ hash }) => hash).reverse()
    const reorg = (depth: number): Acceptance =>
      reduceAcceptance(state, {
        type: 'notified',
        update: { removed: removed.slice(0, depth), added: [block('x')] },
        at: 1,
      })
    expect(reorg(1_000).gap).toBeNull()
    expect(reorg(1_000).changes.filter(({ type }) => type === 'reverted')).toHaveLength(1_000)
    expect(reorg(1_001)).toMatchObject({ gap: { from: 'b1199', to: 'x' } })
    expect(reorg(1_001).changes).toHaveLength(1_001)
  })
})

describe('a start block', () => {
  const opened = reduceAcceptance(acceptanceAfter('f'), OPENED)

  it('backfills what was accepted since', () => {
    expect(show(opened)).toBe('catching-up from f | f')
    expect(show(reduceAcceptance(opened, page(1, 'gh')))).toBe('catching-up from h | fgh | +tg +th')
  })

  it('reports a gap where that block has left the chain, since its transactions are unknown', () => {
    expect(show(reduceAcceptance(opened, page(1, 'xy', 'f')))).toBe('catching-up from y | xy | +tx +ty | gap f..x')
  })

  it('reports a gap where the node does not know the block', () => {
    const given = [refused(1), sink('k', 2)].reduce(reduceAcceptance, opened)
    expect(show(given)).toBe('live | k | gap f..k')
  })
})

it('collapses a full queue: the response covers it', () => {
  const waiting = Array.from({ length: 1_001 }, (_, n) => notified(String.fromCharCode(0x4e00 + n))).reduce(
    reduceAcceptance,
    CATCHING_UP,
  )
  expect(show(waiting)).toBe('catching-up from a (?) | a')
})
