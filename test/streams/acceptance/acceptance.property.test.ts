import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import type { ChainStep } from '../../../src/streams/acceptance/chain.js'
import { INITIAL_ACCEPTANCE, type Acceptance, type AcceptanceEvent } from '../../../src/streams/acceptance/phases.js'
import { reduceAcceptance } from '../../../src/streams/acceptance/reduce-acceptance.js'
import { SimulatedChain, applyChanges } from './simulated-chain.js'

/** Actions between a node and a subscriber, in any order. */
type Action =
  | { readonly kind: 'grow'; readonly length: number; readonly depth: number }
  | {
      readonly kind:
        'deliver' | 'deliver twice' | 'swap' | 'prepare' | 'respond' | 'fail' | 'drop' | 'connect' | 'corrupt' | 'prune'
    }

const grow = fc.record({
  kind: fc.constant('grow' as const),
  length: fc.integer({ min: 1, max: 4 }),
  depth: fc.integer({ min: 0, max: 3 }),
})
const deliver = fc.constant<Action>({ kind: 'deliver' })
const respond = fc.constant<Action>({ kind: 'respond' })
const prepare = fc.constant<Action>({ kind: 'prepare' })
const fault = fc.constantFrom<Action>(
  { kind: 'deliver twice' },
  { kind: 'swap' },
  { kind: 'fail' },
  { kind: 'drop' },
  { kind: 'connect' },
  { kind: 'corrupt' },
)
const swap = fc.constant<Action>({ kind: 'swap' })
/** During startup the node grows, notifies and responds independently. */
const startup = fc.array(fc.oneof<fc.Arbitrary<Action>[]>(grow, deliver, respond, swap), { maxLength: 12 })
const workload = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: grow },
    { weight: 5, arbitrary: deliver },
    { weight: 5, arbitrary: respond },
    { weight: 3, arbitrary: prepare },
    { weight: 4, arbitrary: fault },
  ),
  { maxLength: 80 },
)

const without = (all: readonly string[], some: readonly string[]): string[] => all.filter((one) => !some.includes(one))

interface Response {
  readonly requestId: number
  readonly page: ChainStep | null
}

/**
 * A subscriber of a node, both driven by a schedule. The sink response is reordered before one earlier notification, or
 * before any number.
 */
class TrackedSubscriber {
  state: Acceptance = INITIAL_ACCEPTANCE
  readonly accepted = new Map<string, string>()
  /** Blocks the subscriber need not know: those before its start, and those in a gap. */
  excluded: ReadonlySet<string>
  gaps = 0
  prepared: Response | null = null

  constructor(
    readonly node: SimulatedChain,
    readonly reordering: 'near' | 'far',
  ) {
    this.excluded = node.hashes()
  }

  dispatch(event: AcceptanceEvent): void {
    const next = reduceAcceptance(this.state, event)
    if (next === this.state) return
    this.state = next
    const unknownReverts = next.gap === null ? 'refused' : 'expected' // transactions in a gap may be reverted
    if (next.gap !== null) this.restartAfterGap(next)
    applyChanges(this.accepted, next.changes, unknownReverts)
  }

  /** After a gap only new changes count. */
  restartAfterGap({ changes, gap }: Acceptance): void {
    const emitted = new Set(changes.map(({ acceptingBlockHash }) => acceptingBlockHash))
    const undelivered = this.node.pending.flatMap(({ added }) => added.map(({ hash }) => hash))
    const chain = [...this.node.hashes()]
    const skipped = chain.includes(gap?.to ?? '')
      ? chain.slice(0, chain.indexOf(gap?.to ?? '') + 1)
      : without(chain, undelivered)
    this.gaps++
    this.accepted.clear()
    this.excluded = new Set(skipped.filter((hash) => !emitted.has(hash)))
  }

  respond(): void {
    const { phase, requestId } = this.state
    if (phase.status === 'starting') {
      while (this.reordering === 'near' && this.node.pending.length > 1) this.deliver()
      if (this.state.phase.status !== 'starting') return
      this.dispatch({ type: 'sinkReceived', requestId, sink: this.node.tip, at: 0 })
    } else if ('from' in phase) {
      const { page } = this.prepare(requestId, phase.from)
      if (page === null)
        this.dispatch({ type: 'refused', requestId, error: new ChainError('cannot find header'), at: 0 })
      else this.dispatch({ type: 'pageReceived', requestId, page, at: 0 })
    }
  }

  /** The node's response as of the first time it was prepared. */
  prepare(requestId: number, from: string): Response {
    if (this.prepared?.requestId !== requestId) this.prepared = { requestId, page: this.node.page(from) }
    return this.prepared
  }

  deliver(): void {
    const update = this.node.pending.shift()
    if (update !== undefined) this.dispatch({ type: 'notified', update, at: 0 })
  }

  perform(one: Action): void {
    const { pending } = this.node
    const effects: Record<Action['kind'], () => void> = {
      grow: () => {
        if (one.kind === 'grow') this.node.grow(one.length, one.depth)
      },
      deliver: () => this.deliver(),
      'deliver twice': () => {
        if (pending[0] !== undefined) pending.unshift(pending[0])
        this.deliver()
        this.deliver()
      },
      swap: () => {
        if (pending.length > 1) pending.unshift(...pending.splice(0, 2).reverse())
      },
      corrupt: () => {
        if (pending.shift() !== undefined) this.dispatch({ type: 'notified', update: 'dropped', at: 0 })
      },
      prepare: () => {
        const { phase, requestId } = this.state
        if ('from' in phase) this.prepare(requestId, phase.from)
      },
      respond: () => this.respond(),
      prune: () => this.node.prune(),
      fail: () => {
        this.dispatch({ type: 'failed', requestId: this.state.requestId, error: new ChainError('late'), at: 0 })
        this.dispatch({ type: 'retryDue' })
      },
      drop: () => {
        pending.length = 0
        this.dispatch({ type: 'closed' })
      },
      connect: () => {
        if (this.state.phase.status === 'idle') pending.length = 0 // nothing is notified without a connection
        this.dispatch({ type: 'opened' })
      },
    }
    effects[one.kind]()
  }

  /** Delivers all notifications and responds to all requests. */
  settle(): void {
    this.perform({ kind: 'connect' })
    for (let round = 0; round < 200; round++) {
      this.respond()
      this.deliver()
    }
  }
}

it('ends with the accepted set of the chain, after drops, duplicates and reorgs', () => {
  fc.assert(
    fc.property(startup, workload, fc.integer({ min: 1, max: 5 }), fc.nat({ max: 4 }), (start, then, limit, age) => {
      const node = new SimulatedChain(limit)
      node.grow(age)
      const subscriber = new TrackedSubscriber(node, 'far')
      subscriber.perform({ kind: 'connect' })
      for (const one of start) subscriber.perform(one)
      subscriber.settle()
      for (const one of then) subscriber.perform(one)
      subscriber.settle()
      expect(subscriber.state.phase.status).toBe('live')
      expect(subscriber.gaps).toBe(0)
      expect(subscriber.accepted).toEqual(node.acceptedBeside(subscriber.excluded))
    }),
    { numRuns: 1_000 },
  )
})

it('knows every change, or a gap that contains it, where the node prunes', () => {
  const prune = fc.constant<Action>({ kind: 'prune' })
  const inOrder = workload.map((all) => all.filter(({ kind }) => kind !== 'swap').slice(0, 10))
  const outages = fc.array(fc.oneof(inOrder, fc.tuple(prune)), { maxLength: 10 })
  fc.assert(
    fc.property(outages, fc.integer({ min: 1, max: 5 }), (schedule, limit) => {
      const node = new SimulatedChain(limit)
      const subscriber = new TrackedSubscriber(node, 'near')
      subscriber.perform({ kind: 'connect' })
      subscriber.settle()
      for (const one of schedule.flat()) subscriber.perform(one)
      subscriber.settle()
      expect(subscriber.state.phase.status).toBe('live')
      expect([...node.acceptedBeside(new Set())]).toEqual(expect.arrayContaining([...subscriber.accepted]))
      expect([...subscriber.accepted]).toEqual(expect.arrayContaining([...node.acceptedBeside(subscriber.excluded)]))
    }),
    { numRuns: 1_000 },
  )
})
