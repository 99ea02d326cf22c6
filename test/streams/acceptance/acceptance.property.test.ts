import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AcceptanceEvent } from '../../../src/streams/acceptance/phases.js'
import { NOTHING_ACCEPTED, type Acceptance } from '../../../src/streams/acceptance/phases.js'
import { reduceAcceptance } from '../../../src/streams/acceptance/reduce-acceptance.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { SimulatedChain, account } from './network.js'

/** What may happen between a node and a listener, in any order. */
type Happening =
  | { readonly what: 'grow'; readonly length: number; readonly depth: number }
  | { readonly what: 'deliver' | 'deliver twice' | 'swap' | 'answer' | 'fail' | 'drop' | 'connect' | 'garble' }

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('grow' as const),
      length: fc.integer({ min: 1, max: 4 }),
      depth: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ what: 'deliver' as const }) },
  { weight: 5, arbitrary: fc.constant({ what: 'answer' as const }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Happening>(
      { what: 'deliver twice' },
      { what: 'swap' },
      { what: 'fail' },
      { what: 'drop' },
      { what: 'connect' },
      { what: 'garble' },
    ),
  },
)

/** A listener on a node, both at the mercy of a schedule. */
class Listener {
  state: Acceptance = NOTHING_ACCEPTED
  readonly accepted = new Map<string, string>()
  baseline: string | null = null
  gaps = 0

  constructor(readonly node: SimulatedChain) {}

  happen(event: AcceptanceEvent): void {
    const next = reduceAcceptance(this.state, event)
    if (next === this.state) return
    this.state = next
    account(this.accepted, next.news)
    if (next.gap !== null) this.gaps++
  }

  answer(): void {
    const { phase, asked } = this.state
    if (phase.step === 'starting') {
      this.baseline = this.node.tip
      this.happen({ type: 'sinkAnswered', asked, sink: this.node.tip, at: 0 })
    } else if (phase.step === 'pulling') {
      this.happen({ type: 'pulled', asked, page: this.node.page(phase.from), at: 0 })
    }
  }

  deliver(): void {
    const told = this.node.pending.shift()
    if (told !== undefined) this.happen({ type: 'told', told, at: 0 })
  }

  suffer(one: Happening): void {
    const { pending } = this.node
    const deeds: Record<Happening['what'], () => void> = {
      grow: () => {
        if (one.what === 'grow') this.node.grow(one.length, one.depth)
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
      garble: () => {
        if (pending.shift() !== undefined) this.happen({ type: 'told', told: 'missed', at: 0 })
      },
      answer: () => this.answer(),
      fail: () => {
        this.happen({ type: 'failed', asked: this.state.asked, error: new ChainError('late'), at: 0 })
        this.happen({ type: 'retryDue' })
      },
      drop: () => {
        pending.length = 0
        this.happen({ type: 'closed' })
      },
      connect: () => {
        if (this.state.phase.step === 'idle') pending.length = 0 // nothing is told to whom nothing connects
        this.happen({ type: 'opened' })
      },
    }
    deeds[one.what]()
  }

  /** The storm is over: everything arrives, every question is answered. */
  settle(): void {
    this.suffer({ what: 'connect' })
    for (let round = 0; round < 200; round++) {
      this.answer()
      this.deliver()
    }
  }
}

describe('a listener who lived through drops, doubles and reorgs', () => {
  it('knows exactly what one knows who never lost the connection', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 80 }), fc.integer({ min: 1, max: 5 }), (schedule, pageLimit) => {
        const node = new SimulatedChain(pageLimit)
        const listener = new Listener(node)
        listener.suffer({ what: 'connect' })
        listener.answer()
        for (const one of schedule) listener.suffer(one)
        listener.settle()
        expect(listener.state.phase.step).toBe('live')
        expect(listener.gaps).toBe(0)
        expect(listener.accepted).toEqual(node.acceptedAfter('genesis'))
      }),
      { numRuns: 1_000 },
    )
  })
})
