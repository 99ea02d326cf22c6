import { describe, expect, it } from 'vitest'
import { standings } from '../../demo/src/dag/colour.js'
import { EMPTY_DAG, reduceDag, type Block, type Dag, type DagEvent } from '../../demo/src/dag/dag.js'

/** A block named by a letter, on its parents, the first of which it has selected. */
const block = (hash: string, daaScore: bigint, ...parents: string[]): Block => ({
  hash,
  daaScore,
  blueScore: daaScore,
  timestamp: 0,
  parents,
  selectedParent: parents[0] ?? '',
  blues: parents,
  reds: [],
  payments: 0,
})

const after = (...events: DagEvent[]): Dag => events.reduce(reduceDag, EMPTY_DAG)
const added = (one: Block): DagEvent => ({ type: 'added', block: one })
const moved = (removed: string, to: string): DagEvent => ({
  type: 'moved',
  removed: removed.split(' '),
  added: to.split(' '),
})
/** `name:column/lane` of each block. */
const places = ({ blocks }: Dag): string =>
  blocks.map(({ hash, column, lane }) => `${hash}:${column}/${lane}`).join(' ')

describe('the picture of the DAG', () => {
  it('has a column for each DAA score, however far apart, and a lane for each block in it', () => {
    const dag = after(
      ...[block('a', 1n), block('b', 5n, 'a'), block('c', 5n, 'a'), block('d', 7n, 'b', 'c')].map(added),
    )
    expect(places(dag)).toBe('a:0/0 b:1/0 c:1/-1 d:2/0')
  })

  it('moves the chain in a reorg, and no block', () => {
    const before = after(...[block('a', 1n), block('b', 2n, 'a'), block('c', 2n, 'a')].map(added), moved('', 'a b'))
    const then = [moved('b', 'c')].reduce(reduceDag, before)
    expect(places(then)).toBe(places(before))
    expect([...standings(then)]).toEqual([
      ['a', 'chain'],
      ['b', 'open'],
      ['c', 'chain'],
    ])
  })

  it('tells merged blues and reds from what nobody has merged', () => {
    const merging: Block = { ...block('d', 4n, 'a', 'b', 'c'), blues: ['a', 'b'], reds: ['c'] }
    const dag = after(
      ...[block('a', 1n), block('b', 2n), block('c', 3n), merging, block('e', 5n)].map(added),
      moved('', 'a d'),
    )
    expect([...standings(dag).values()]).toEqual(['chain', 'blue', 'red', 'chain', 'open'])
  })

  it('takes in what it had missed, in its order, and does not doubt what it knows', () => {
    const recent = [block('a', 1n), block('b', 2n, 'a'), block('c', 3n, 'b')]
    const dag = after(added(block('c', 3n, 'b')), { type: 'filled', blocks: recent, chain: ['a', 'b', 'c'] })
    expect(places(dag)).toBe('a:0/0 b:1/0 c:2/0')
    expect(reduceDag(dag, added(block('c', 3n, 'b'))).blocks).toHaveLength(3)
  })

  it('forgets the oldest', () => {
    const blocks = Array.from({ length: 200 }, (_, index) => block(`block ${index}`, BigInt(index)))
    const dag = after(...blocks.map(added))
    expect(dag.blocks).toHaveLength(60)
    expect(dag.blocks.at(-1)).toMatchObject({ hash: 'block 199', column: 199 })
  })
})
