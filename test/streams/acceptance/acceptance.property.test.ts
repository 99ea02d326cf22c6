import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import type { ChainStep } from '../../../src/streams/acceptance/chain.js'
import { NOTHING_ACCEPTED, type Acceptance, type AcceptanceEvent } from '../../../src/streams/acceptance/phases.js'
import { reduceAcceptance } from '../../../src/streams/acceptance/reduce-acceptance.js'
import { SimulatedChain, account } from './network.js'

/** What may happen between a node and a listener, in any order. */
type Happening =
  | { readonly what: 'grow'; readonly length: number; readonly depth: number }
  | {
      readonly what:
        'deliver' | 'deliver twice' | 'swap' | 'think' | 'answer' | 'fail' | 'drop' | 'connect' | 'garble' | 'forget'
    }

const grow = fc.record({
  what: fc.constant('grow' as const),
  length: fc.integer({ min: 1, max: 4 }),
  depth: fc.integer({ min: 0, max: 3 }),
})
const deliver = fc.constant<Happening>({ what: 'deliver' })
const answer = fc.constant<Happening>({ what: 'answer' })
const think = fc.constant<Happening>({ what: 'think' })
const mishap = fc.constantFrom<Happening>(
  { what: 'deliver twice' },
  { what: 'swap' },
  { what: 'fail' },
  { what: 'drop' },
  { what: 'connect' },
  { what: 'garble' },
)
const swap = fc.constant<Happening>({ what: 'swap' })
/** While a listener begins the node grows, tells and answers, each in its own time. */
const beginning = fc.array(fc.oneof<fc.Arbitrary<Happening>[]>(grow, deliver, answer, swap), { maxLength: 12 })
const storm = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: grow },
    { weight: 5, arbitrary: deliver },
    { weight: 5, arbitrary: answer },
    { weight: 3, arbitrary: think },
    { weight: 4, arbitrary: mishap },
  ),
  { maxLength: 80 },
)

const without = (all: readonly string[], some: readonly string[]): string[] => all.filter((one) => !some.includes(one))

interface Answer {
  readonly asked: number
  readonly page: ChainStep | null
}

/**
 * A listener on a node, both at the mercy of a schedule. The answer to where the chain stands overtakes what was told before
 * it by one, or by any number.
 */
class Listener {
  state: Acceptance = NOTHING_ACCEPTED
  readonly accepted = new Map<string, string>()
  /** Blocks of which it need not have heard: those from before its time, and those that lie in a gap. */
  before: ReadonlySet<string>
  gaps = 0
  thought: Answer | null = null

  constructor(
    readonly node: SimulatedChain,
    readonly overtaking: 'near' | 'far',
  ) {
    this.before = node.hashes()
  }

  happen(event: AcceptanceEvent): void {
    const next = reduceAcceptance(this.state, event)
    if (next === this.state) return
    this.state = next
    const strangers = next.gap === null ? 'refused' : 'expected' // what a gap has swallowed may be taken back
    if (next.gap !== null) this.readAnew(next)
    account(this.accepted, next.news, strangers)
  }

  /** After a gap nothing counts but what is said from now on. */
  readAnew({ news, gap }: Acceptance): void {
    const said = new Set(news.map(({ acceptingBlockHash }) => acceptingBlockHash))
    const told = this.node.pending.flatMap(({ added }) => added.map(({ hash }) => hash))
    const chain = [...this.node.hashes()]
    const lost = chain.includes(gap?.to ?? '') ? chain.slice(0, chain.indexOf(gap?.to ?? '') + 1) : without(chain, told)
    this.gaps++
    this.accepted.clear()
    this.before = new Set(lost.filter((hash) => !said.has(hash)))
  }

  answer(): void {
    const { phase, asked } = this.state
    if (phase.step === 'starting') {
      while (this.overtaking === 'near' && this.node.pending.length > 1) this.deliver()
      if (this.state.phase.step !== 'starting') return
      this.happen({ type: 'sinkAnswered', asked, sink: this.node.tip, at: 0 })
    } else if ('from' in phase) {
      const { page } = this.think(asked, phase.from)
      if (page === null) this.happen({ type: 'refused', asked, error: new ChainError('cannot find header'), at: 0 })
      else this.happen({ type: 'pulled', asked, page, at: 0 })
    }
  }

  /** The node's answer to a question, as things stood when it first thought of it. */
  think(asked: number, from: string): Answer {
    if (this.thought?.asked !== asked) this.thought = { asked, page: this.node.page(from) }
    return this.thought
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
      think: () => {
        const { phase, asked } = this.state
        if ('from' in phase) this.think(asked, phase.from)
      },
      answer: () => this.answer(),
      forget: () => this.node.forget(),
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

  /** Everything arrives, every question is answered. */
  settle(): void {
    this.suffer({ what: 'connect' })
    for (let round = 0; round < 200; round++) {
      this.answer()
      this.deliver()
    }
  }
}

it('knows, after drops, doubles and reorgs, exactly what one knows who never lost the connection', () => {
  fc.assert(
    fc.property(beginning, storm, fc.integer({ min: 1, max: 5 }), fc.nat({ max: 4 }), (start, then, limit, age) => {
      const node = new SimulatedChain(limit)
      node.grow(age)
      const listener = new Listener(node, 'far')
      listener.suffer({ what: 'connect' })
      for (const one of start) listener.suffer(one)
      listener.settle()
      for (const one of then) listener.suffer(one)
      listener.settle()
      expect(listener.state.phase.step).toBe('live')
      expect(listener.gaps).toBe(0)
      expect(listener.accepted).toEqual(node.acceptedBeside(listener.before))
    }),
    { numRuns: 1_000 },
  )
})

it('has either heard of everything, or of the gap in which it lies, where a node forgets the past', () => {
  const forget = fc.constant<Happening>({ what: 'forget' })
  const inOrder = storm.map((all) => all.filter(({ what }) => what !== 'swap').slice(0, 10))
  const outages = fc.array(fc.oneof(inOrder, fc.tuple(forget)), { maxLength: 10 })
  fc.assert(
    fc.property(outages, fc.integer({ min: 1, max: 5 }), (schedule, limit) => {
      const node = new SimulatedChain(limit)
      const listener = new Listener(node, 'near')
      listener.suffer({ what: 'connect' })
      listener.settle()
      for (const one of schedule.flat()) listener.suffer(one)
      listener.settle()
      expect(listener.state.phase.step).toBe('live')
      expect([...node.acceptedBeside(new Set())]).toEqual(expect.arrayContaining([...listener.accepted]))
      expect([...listener.accepted]).toEqual(expect.arrayContaining([...node.acceptedBeside(listener.before)]))
    }),
    { numRuns: 1_000 },
  )
})
