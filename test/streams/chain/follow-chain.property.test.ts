import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHarness, type ChainHarness } from './harness.js'
import { isPreferred, type SimulatedNode } from './simulated-network.js'
import { StoredProgram } from './stored-program.js'
import { FULL, runs } from '../../full.js'
import { LIMIT } from '../../limits.js'

/** An event in the life of a program that follows two nodes. */
type Action =
  | {
      readonly kind: 'grow'
      readonly node: number
      readonly length: number
      readonly score: number
      readonly isNonStandard: boolean
    }
  | { readonly kind: 'reorg'; readonly node: number; readonly depth: number; readonly excess: number }
  | { readonly kind: 'sibling'; readonly node: number }
  | { readonly kind: 'sync' | 'drop' | 'stop' | 'start'; readonly node: number }
  | { readonly kind: 'rewind'; readonly node: number; readonly depth: number; readonly headers: 'known' | 'unknown' }
  | { readonly kind: 'during'; readonly node: number; readonly calls: number; readonly depth: number }
  | { readonly kind: 'crash'; readonly after: 'rows written' | 'batch received'; readonly batches: number }
  | { readonly kind: 'time'; readonly ms: number }

const node = fc.integer({ min: 0, max: 1 })
const depth = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) }, fc.integer({ min: 7, max: 200 }))
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('grow' as const),
      node,
      length: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 8 }) }, fc.integer({ min: 9, max: 250 })),
      score: fc.integer({ min: 1, max: 5 }),
      isNonStandard: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('reorg' as const), node, depth, excess: fc.integer({ min: 0, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sibling' as const), node }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('sync' as const, 'drop', 'stop', 'start'), node }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rewind' as const),
      node,
      depth,
      headers: fc.constantFrom('known' as const, 'unknown'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('during' as const), node, calls: fc.integer({ min: 1, max: 4 }), depth }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      after: fc.constantFrom('rows written' as const, 'batch received'),
      batches: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(1, 5, 20, 400, 3_000) }),
  },
)

const history = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 40 }),
  minConfirmations: fc.constantFrom(0, 0, 1, 2, 10),
  maxBlocks: fc.constantFrom(1, 7, 100),
  detail: fc.constantFrom('ids' as const, 'full'),
  pageLimit: fc.constantFrom(5, 60, 2_480),
})

function apply({ nodes, down }: ChainHarness, program: StoredProgram, step: Action): void {
  const at = 'node' in step ? nodes[step.node] : nodes[0]
  const other = 'node' in step ? nodes[1 - step.node] : nodes[1]
  if (at === undefined || other === undefined) throw new Error('A history has two nodes')
  switch (step.kind) {
    case 'grow': {
      at.grow(step.length, { score: BigInt(step.score), isNonStandard: step.isNonStandard })
      return
    }
    case 'reorg': {
      reorg(at, step.depth, step.excess)
      return
    }
    case 'sibling': {
      at.grow(1, { depth: 1 })
      return
    }
    case 'sync': {
      at.adopt(other.sink)
      return
    }
    case 'drop': {
      at.node.drop()
      return
    }
    case 'stop':
      down.add(at)
      {
        at.node.drop()
        return
      }
    case 'start':
      down.delete(at)
      return
    case 'rewind': {
      at.rewind(step.depth, step.headers)
      return
    }
    case 'during': {
      reorgDuring(at, step.calls, step.depth)
      return
    }
    case 'crash': {
      program.crash(step)
      return
    }
    case 'time':
      return
  }
}

/** Replaces the end of a chain by a heavier branch. */
function reorg(at: SimulatedNode, depth: number, excess: number): void {
  const fork = at.chain.at(-1 - Math.min(depth, at.chain.length - 1))
  const missing = Number(at.sink.work - (fork?.work ?? 0n))
  at.grow(missing + 1 + excess, { depth })
}

/** Reorganizes the chain between two responses of one read. */
function reorgDuring(at: SimulatedNode, calls: number, depth: number): void {
  let left = calls
  at.beforeResponse = (method) => {
    if (method === 'getServerInfo' || --left > 0) return undefined
    at.beforeResponse = () => undefined
    reorg(at, depth, 0)
    return undefined
  }
}

/** All nodes reach one chain, heavier than any before, also than one that was lost with a node's data. */
async function converge({ nodes, down, clock, blocks }: ChainHarness): Promise<void> {
  down.clear()
  for (const each of nodes) each.beforeResponse = () => undefined
  const [heaviest] = nodes.map(({ sink }) => sink).sort((a, b) => (isPreferred(a, b) ? -1 : 1))
  for (const each of nodes) if (heaviest !== undefined) each.adopt(heaviest)
  await clock.advance(60)
  const all = [...blocks.all.values()]
  const work = all.reduce((most, block) => (block.work > most ? block.work : most), 0n)
  const score = all.reduce((most, block) => (block.blueScore > most ? block.blueScore : most), 0n)
  const rise = 200n // a block merges 248 at most
  nodes[0]?.grow(Number(score / rise) + 1, { work, score: rise })
  for (const each of nodes) for (const one of nodes) each.adopt(one.sink)
}

it(
  'an application that stores rows and cursor together ends with exactly what the node accepted',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ actions, pageLimit, ...options }) => {
        const harness = createHarness(2)
        const { nodes, clock } = harness
        for (const each of nodes) each.pageLimit = pageLimit
        const program = new StoredProgram(() => harness.open(), { ...options, nodeBehindTimeout: Infinity })
        program.start()
        for (const step of actions) {
          apply(harness, program, step)
          if (step.kind === 'time') await clock.advance(step.ms)
        }
        await converge(harness)
        const expected = (): unknown => {
          const { chain: path, sink } = nodes[0]!
          return path
            .slice(1)
            .filter(({ blueScore }) => blueScore <= sink.blueScore - BigInt(options.minConfirmations))
            .flatMap(({ ids, hash, blueScore }) => ids.map((id) => ({ id, blockHash: hash, blueScore })))
        }
        for (let waited = 0; waited < 300 && !isSame(program.stored.rows, expected()); waited++)
          await clock.advance(1_000)
        expect(program.failures).toEqual([])
        expect(program.stored.rows).toEqual(expected())
        await program.stop()
      }),
      { numRuns: runs(100, 10_000), ...(FULL ? {} : { plugins: [fc.interruptAfterTimeLimit(20_000)] }) },
    )
  },
  3 * LIMIT,
)

const isSame = (a: unknown, b: unknown): boolean => toText(a) === toText(b)
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
