import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMemoryDevnode, type MemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createParts } from '../../src/engine/core.js'
import type { CoreParts } from '../../src/engine/core-parts.js'
import type { ChainBlock, ChainTransaction, ChainTransactionId } from '../../src/streams/chain/batch.js'
import type { FollowChainOptions } from '../../src/streams/chain/options.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { FULL, runs } from '../full.js'
import { LIMIT } from '../limits.js'
import { SteppedClock } from '../streams/chain/stepped-clock.js'
import { StoredProgram, type Crash } from '../streams/chain/stored-program.js'
import { StoredRows } from '../streams/chain/stored-rows.js'
import { NOW } from '../operations/transactions/ledger-dependencies.js'
import { lyingAt, type Lie } from './lying-endpoint.js'

// loaded on demand otherwise, while virtual time goes on
import '../../src/engine/node-connection.js'
import '../../src/streams/acceptance/resumed-batches.js'
import '../../src/streams/chain/follow-chain.js'

/** An event in the life of a program that follows three endpoints, the first of which lies. */
type Step =
  | { readonly type: 'mine' | 'reorg' | 'invent'; readonly count: number }
  | { readonly type: 'lie'; readonly lie: Lie }
  | { readonly type: 'stop lying' | 'pay' | 'sync' | 'lag' | 'prefer the liar' }
  | { readonly type: 'drop'; readonly node: number }
  | { readonly type: 'crash'; readonly crash: Crash }
  | { readonly type: 'time'; readonly ms: number }

const among = fc.constantFrom(1, 1, 2, 5)
const by = fc.constantFrom(-3, -1, 1, 2, 40, 1_000_000, Number.MAX_SAFE_INTEGER)

const depth = fc.integer({ min: 1, max: 20 })

/** Lies that invent blocks or withhold them: all others are about what a block of the chain holds. */
const invention = fc.oneof(
  fc.record({ about: fc.constant('work'), bits: fc.constantFrom(3, 20, 60, 90), among: fc.constant(0x10000) }),
  fc.record({ about: fc.constant('work'), bits: fc.constantFrom(3, 20, 60, 90), among }),
  fc.record({ about: fc.constant('omission'), of: fc.constantFrom('newest', 'position', 'history'), among }),
  fc.record({ about: fc.constant('reorg'), depth, omits: fc.constant(false) }),
  fc.record({ about: fc.constant('order'), of: fc.constantFrom('blocks', 'removed') }),
) as fc.Arbitrary<Lie>

const content = fc.oneof(
  fc.record({ about: fc.constant('score'), of: fc.constantFrom('blueScore', 'daaScore', 'timestamp'), by, among }),
  fc.record({
    about: fc.constant('value'),
    of: fc.constantFrom('output', 'input', 'script', 'payload', 'covenant', 'id', 'addition'),
    by,
    among,
  }),
  fc.record({ about: fc.constant('order'), of: fc.constant('transactions') }),
  fc.record({ about: fc.constant('reorg'), depth, omits: fc.constant(true) }),
  fc.record({ about: fc.constant('omission'), of: fc.constantFrom('block', 'transactions'), among }),
) as fc.Arbitrary<Lie>

const count = fc.integer({ min: 1, max: 6 })
const stepsOf = (lies: fc.Arbitrary<Lie>): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ type: fc.constantFrom('mine', 'reorg'), count }) },
      { weight: 4, arbitrary: fc.record({ type: fc.constant('lie'), lie: lies }) },
      { weight: 3, arbitrary: fc.record({ type: fc.constant('invent'), count }) },
      {
        weight: 5,
        arbitrary: fc.record({ type: fc.constantFrom('stop lying', 'pay', 'sync', 'lag', 'prefer the liar') }),
      },
      { weight: 2, arbitrary: fc.record({ type: fc.constant('drop'), node: fc.nat(2) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          type: fc.constant('crash'),
          crash: fc.record({
            after: fc.constantFrom('rows written', 'batch received'),
            batches: fc.integer({ min: 0, max: 2 }),
          }),
        }),
      },
      { weight: 8, arbitrary: fc.record({ type: fc.constant('time'), ms: fc.constantFrom(20, 400, 3_000, 15_000) }) },
    ),
    { minLength: 3, maxLength: 30 },
  )

const optionsOf = (agree: 1 | 2) =>
  fc.record({
    agree: fc.constant(agree),
    minConfirmations: fc.constantFrom(0, 0, 10),
    maxBlocks: fc.constantFrom(1, 7, 100),
    detail: fc.constantFrom('full', 'full', 'ids'),
  })

interface History {
  readonly steps: readonly Step[]
  readonly options: FollowChainOptions
  /** What the first endpoint does in the end. */
  readonly end: 'honest' | 'down'
}

const historyOf = (agree: 1 | 2, lies: fc.Arbitrary<Lie>): fc.Arbitrary<History> =>
  fc.record({ steps: stepsOf(lies), options: optionsOf(agree), end: fc.constantFrom('honest', 'down') })

/** Everything that a batch says about a transaction, as text. */
const contentOf = (
  transaction: ChainTransactionId | ChainTransaction,
  { daaScore, timestamp }: ChainBlock<unknown>,
): string =>
  JSON.stringify({ ...transaction, daaScore, timestamp }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

/** The liar first. */
type Nodes = readonly [MemoryDevnode, MemoryDevnode, MemoryDevnode]

/** Three nodes of one network under virtual time, a program that follows them, and the lies of the first. */
class Play {
  readonly program: StoredProgram
  readonly #clock: SteppedClock
  readonly #nodes: Nodes
  readonly #options: FollowChainOptions
  #lies: readonly Lie[] = []
  #isLagging = false
  /** The blue score up to which all that was stated is true. */
  #trueUpTo = Infinity

  private constructor(clock: SteppedClock, nodes: Nodes, options: FollowChainOptions) {
    this.#clock = clock
    this.#nodes = nodes
    this.#options = options
    this.program = new StoredProgram(() => this.#open(nodes), options, new StoredRows(contentOf))
  }

  static async begin(options: FollowChainOptions): Promise<Play> {
    const clock = new SteppedClock()
    const platform = createTestPlatform({ scheduler: clock, frame: 2, random: () => 0.5 })
    platform.shiftClock(NOW) // later than genesis, so that blocks have the time at which they are mined
    const liar = createMemoryDevnode({ platform, blockInterval: 0, accounts: 1 })
    await liar.mine(5)
    const play = new Play(clock, [liar, await liar.fork(), await liar.fork()], options)
    play.program.start()
    return play
  }

  #open(nodes: readonly MemoryDevnode[]): CoreParts {
    const [liar, honest] = this.#nodes
    const { platform } = liar.engineOptions.ports
    const node = lyingAt(createNodePort(platform), liar.urls.borsh, {
      scheduler: this.#clock,
      lies: () => this.#lies,
      isInvented: (hash) => !honest.expected.blocks().includes(hash),
      chain: () => liar.expected.chain(),
    })
    return createParts({
      network: 'simnet',
      resolver: false,
      urls: nodes.map(({ urls }) => urls.borsh),
      heartbeat: false,
      reconnect: { maxRetries: Infinity },
      ports: { platform, node },
    })
  }

  async apply(step: Step): Promise<void> {
    const [liar, honest] = this.#nodes
    switch (step.type) {
      case 'mine':
        return this.#grow(() => honest.mine(step.count))
      case 'reorg':
        return this.#grow(() => honest.reorg({ depth: Math.min(step.count, honest.expected.chain().length - 1) }))
      case 'pay':
        return this.#grow(() => honest.fund(honest.accounts[0]!.address, 100_000_000n))
      case 'invent':
        await liar.fund(liar.accounts[0]!.address, 900_000_000n)
        await liar.mine(step.count)
        return
      case 'sync':
        await liar.sync(honest)
        return
      case 'lie':
        this.#trueUpTo = Math.min(this.#trueUpTo, honest.expected.chain().length - 20, this.#newest())
        this.#lies = [...this.#lies.slice(-2), step.lie]
        return
      case 'stop lying':
        this.#lies = []
        return
      case 'lag':
        this.#isLagging = !this.#isLagging
        return this.#grow(() => honest.mine())
      case 'prefer the liar':
        for (const node of this.#nodes.slice(1)) node.faults.drop()
        return
      case 'drop':
        this.#nodes[step.node]!.faults.drop()
        return
      case 'crash':
        this.program.crash(step.crash)
        return
      case 'time':
        for (let left = step.ms; left > 0; left -= 1_000) {
          await this.#grow(() => honest.mine())
          await this.#clock.advance(Math.min(left, 1_000))
        }
    }
  }

  /** The honest nodes have one chain, of which the second has less for a while. */
  async #grow(work: () => Promise<unknown>): Promise<void> {
    const [, honest, other] = this.#nodes
    await work()
    if (!this.#isLagging) await other.sync(honest)
  }

  /**
   * The first endpoint stops lying, and time goes on until the rows are those of the chain; what differs in the end.
   */
  async stop(end: History['end'], rewinds: boolean): Promise<void> {
    const [liar, honest] = this.#nodes
    this.#lies = []
    this.#isLagging = false
    if (end === 'down') await liar.close()
    const lead = (): number => honest.expected.chain().length - liar.expected.chain().length
    while (lead() < 2) await this.#grow(() => honest.mine(8))
    if (rewinds) {
      await this.#clock.advance(30_000)
      this.#rewind()
    }
    let rows: readonly unknown[] = []
    for (let waited = 0; waited < 100; waited++) {
      await this.#grow(() => honest.mine())
      if (end === 'honest') await liar.sync(honest)
      await this.#clock.advance(waited < 5 ? 1_000 : 10_000)
      rows = await this.#honestRows()
      if (this.program.failures.length > 0 || isSame(this.program.stored.rows, rows)) break
    }
    expect(this.program.failures).toEqual([])
    expect(this.program.stored.rows).toEqual(rows)
  }

  /** What an operator does who finds rows that are not true. */
  #rewind(): void {
    const target = Math.max(0, Math.min(this.#trueUpTo, this.#newest()))
    if (this.program.stored.cursor !== undefined) this.program.restart({ rewindTo: String(target) })
  }

  #newest(): number {
    return Number(this.program.stored.rows.at(-1)?.blueScore ?? 0n)
  }

  /** The rows of a program that has followed one honest node from the beginning. */
  async #honestRows(): Promise<readonly unknown[]> {
    const honest = this.#nodes.slice(1, 2)
    const { agree: _, ...options } = this.#options
    const program = new StoredProgram(() => this.#open(honest), options, new StoredRows(contentOf))
    program.start()
    const before = this.#clock.frame
    while (program.stored.cursor === undefined || this.#clock.frame < before + 200) await this.#clock.advance(20)
    await program.stop()
    return program.stored.rows
  }

  async end(): Promise<void> {
    await this.program.stop()
    for (const node of this.#nodes) await node.close()
  }
}

const isSame = (a: unknown, b: unknown): boolean => toText(a) === toText(b)
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))

async function play({ steps, options, end }: History, rewinds = false): Promise<void> {
  const play = await Play.begin(options)
  try {
    for (const step of steps) await play.apply(step)
    await play.stop(end, rewinds)
  } finally {
    await play.end()
  }
}

const check = (history: fc.Arbitrary<History>, rewinds: boolean): Promise<void> =>
  fc.assert(
    fc.asyncProperty(history, (one) => play(one, rewinds)),
    { numRuns: runs(6, 700), endOnFailure: true },
  )

const limit = { timeout: FULL ? 7_200_000 : LIMIT }

it('rows equal the honest chain after one of three endpoints invented or withheld blocks', limit, () =>
  check(historyOf(1, invention), false),
)

it('rows equal the honest chain with agree: 2, whatever one of three endpoints said', limit, () =>
  check(historyOf(2, fc.oneof(invention, content)), false),
)

it('rows equal the honest chain after a rewind below what one of three endpoints said about its blocks', limit, () =>
  check(historyOf(1, fc.oneof(invention, content)), true),
)
