import fc from 'fast-check'
import type { Subscription } from 'rxjs'
import { BehaviorSubject } from 'rxjs'
import { expect, it } from 'vitest'
import { createMemoryDevnode, type MemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createParts } from '../../src/engine/core.js'
import { type CoreParts, feature } from '../../src/engine/core-parts.js'
import { transferHistory } from '../../src/engine/features/transfer-history.js'
import { NO_TRANSFERS, type TransferHistoryState } from '../../src/streams/transfers/history/state.js'
import { runs } from '../full.js'

const KAS = 100_000_000n
const ADDRESSES = 2
/** The addresses of a list, by number. */
const SETS: readonly (readonly number[])[] = [[0], [0], [1], [0, 1], [1, 0]]

type Step =
  | { readonly action: 'open' | 'close' | 'change'; readonly list: number; readonly to: number }
  | { readonly action: 'pay'; readonly to: number }
  | { readonly action: 'mine'; readonly count: number }
  | { readonly action: 'reorg'; readonly depth: number; readonly isDropped: boolean }

const list = fc.nat({ max: 3 })
const to = fc.nat({ max: SETS.length - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ action: fc.constant('open'), list, to }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constantFrom('close', 'change'), list, to }) },
  { weight: 4, arbitrary: fc.record({ action: fc.constant('pay'), to: fc.nat({ max: ADDRESSES - 1 }) }) },
  { weight: 3, arbitrary: fc.record({ action: fc.constant('mine'), count: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      action: fc.constant('reorg'),
      depth: fc.integer({ min: 1, max: 3 }),
      isDropped: fc.boolean(),
    }),
  },
)

interface OpenList {
  readonly addresses$: BehaviorSubject<readonly string[]>
  readonly subscription: Subscription
  state: TransferHistoryState
}

class Lists {
  readonly #open = new Map<number, OpenList>()
  readonly #payees = new Map<string, string>()
  readonly differences: string[] = []

  constructor(
    private readonly devnode: MemoryDevnode,
    private readonly core: CoreParts,
  ) {}

  readonly #addresses = (set: number): readonly string[] =>
    SETS[set]!.map((account) => this.devnode.accounts[account]!.address)

  open(name: number, set: number): void {
    this.close(name)
    const addresses$ = new BehaviorSubject(this.#addresses(set))
    const { state$ } = feature(this.core, transferHistory)(addresses$, { limit: 500, mempoolInterval: 20 })
    const emitted: { state: TransferHistoryState } = { state: NO_TRANSFERS }
    const subscription = state$.subscribe((state) => {
      emitted.state = state
      queueMicrotask(() => this.#compare())
    })
    this.#open.set(name, Object.assign(emitted, { addresses$, subscription }))
  }

  close(name: number): void {
    this.#open.get(name)?.subscription.unsubscribe()
    this.#open.delete(name)
  }

  change(name: number, set: number): void {
    this.#open.get(name)?.addresses$.next(this.#addresses(set))
  }

  async pay(account: number): Promise<void> {
    const { address } = this.devnode.accounts[account]!
    this.#payees.set(await this.devnode.fund(address, KAS), address)
  }

  /** Lists of one address have the same rows of it in each frame. */
  #compare(): void {
    const fresh = [...this.#open].filter(([, { state }]) => state.freshness === 'fresh')
    for (const { address } of this.devnode.accounts) {
      const shown = fresh
        .filter(([, { addresses$ }]) => addresses$.value.includes(address))
        .map(([name, { state }]) => ({ name, rows: this.#rows(state, address) }))
      for (const { name, rows } of shown)
        if (rows !== shown[0]!.rows) this.differences.push(`${shown[0]!.name}: ${shown[0]!.rows}; ${name}: ${rows}`)
    }
  }

  readonly #rows = ({ transfers }: TransferHistoryState, address: string): string =>
    transfers
      .filter(({ transactionId }) => this.#payees.get(transactionId) === address)
      .map(({ transactionId, status }) => `${transactionId.slice(0, 6)} ${status}`)
      .join()

  /** Every list is fresh and has each accepted payment to its addresses. Looks at the mempool take a second. */
  isComplete(): boolean {
    const accepted = new Set(this.devnode.expected.accepted().flatMap((block) => block.acceptedTransactionIds))
    return [...this.#open.values()].every(({ addresses$, state }) => {
      const expected = [...this.#payees]
        .filter(([id, address]) => accepted.has(id) && addresses$.value.includes(address))
        .map(([id]) => id)
      const shown = state.transfers
        .filter(({ status }) => status === 'accepted')
        .map(({ transactionId }) => transactionId)
      return state.freshness === 'fresh' && expected.sort().join() === shown.sort().join()
    })
  }

  readonly #lastId = (): string[] => [...this.#payees.keys()].slice(-1)

  async run(step: Step): Promise<void> {
    if (step.action === 'pay') await this.pay(step.to)
    else if (step.action === 'mine') await this.devnode.mine(step.count)
    else if (step.action === 'reorg')
      await this.devnode.reorg({ depth: step.depth, drop: step.isDropped ? this.#lastId() : [] })
    else if (step.action === 'close') this.close(step.list)
    else this[step.action](step.list, step.to)
  }

  end(): void {
    for (const name of [...this.#open.keys()]) this.close(name)
  }
}

it('shows lists of one address the same rows in the same frame, whatever their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), fc.boolean(), async (steps, isAwaited) => {
      const devnode = createMemoryDevnode({ blockInterval: 0, accounts: ADDRESSES })
      const core = createParts(devnode.engineOptions)
      const lists = new Lists(devnode, core)
      try {
        await devnode.mine(4)
        await core.connection.connect()
        for (const next of steps) {
          await lists.run(next)
          if (isAwaited) await expect.poll(() => lists.isComplete(), { interval: 5 }).toBe(true)
        }
        await expect.poll(() => lists.isComplete(), { interval: 5 }).toBe(true)
        expect(lists.differences).toEqual([])
      } finally {
        lists.end()
        await core.dispose()
        await devnode.close()
      }
    }),
    { numRuns: runs(10), endOnFailure: true },
  )
})
