import { describe, expect, it } from 'vitest'
import { blockStatuses } from '../../demo/src/dag/block-status.js'
import { EMPTY_DAG, reduceDag, type Block, type Dag, type DagEvent } from '../../demo/src/dag/dag.js'

/** A block with its parents; the first is the selected parent. */
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
  type: 'chain-changed',
  removed: removed.split(' '),
  added: to.split(' '),
})
/** `name:column/lane` of each block. */
const positions = ({ blocks }: Dag): string =>
  blocks.map(({ hash, column, lane }) => `${hash}:${column}/${lane}`).join(' ')

describe('reduceDag', () => {
  it('assigns a column to each DAA score, regardless of gaps, and a lane to each of its blocks', () => {
    const dag = after(
      ...[block('a', 1n), block('b', 5n, 'a'), block('c', 5n, 'a'), block('d', 7n, 'b', 'c')].map(added),
    )
    expect(positions(dag)).toBe('a:0/0 b:1/0 c:1/-1 d:2/0')
  })

  it('changes the chain in a reorg and keeps the positions of the blocks', () => {
    const before = after(...[block('a', 1n), block('b', 2n, 'a'), block('c', 2n, 'a')].map(added), moved('', 'a b'))
    const then = [moved('b', 'c')].reduce(reduceDag, before)
    expect(positions(then)).toBe(positions(before))
    expect([...blockStatuses(then)]).toEqual([
      ['a', 'chain'],
      ['b', 'open'],
      ['c', 'chain'],
    ])
  })

  it('distinguishes merged blues, merged reds and unmerged blocks', () => {
    const merging: Block = { ...block('d', 4n, 'a', 'b', 'c'), blues: ['a', 'b'], reds: ['c'] }
    const dag = after(
      ...[block('a', 1n), block('b', 2n), block('c', 3n), merging, block('e', 5n)].map(added),
      moved('', 'a d'),
    )
    expect([...blockStatuses(dag).values()]).toEqual(['chain', 'blue', 'red', 'chain', 'open'])
  })

  it('inserts backfilled blocks in order and ignores known ones', () => {
    const recent = [block('a', 1n), block('b', 2n, 'a'), block('c', 3n, 'b')]
    const dag = after(added(block('c', 3n, 'b')), { type: 'backfilled', blocks: recent, chain: ['a', 'b', 'c'] })
    expect(positions(dag)).toBe('a:0/0 b:1/0 c:2/0')
    expect(reduceDag(dag, added(block('c', 3n, 'b'))).blocks).toHaveLength(3)
  })

  it('prunes the oldest blocks', () => {
    const blocks = Array.from({ length: 200 }, (_, index) => block(`block ${index}`, BigInt(index)))
    const dag = after(...blocks.map(added))
    expect(dag.blocks).toHaveLength(60)
    expect(dag.blocks.at(-1)).toMatchObject({ hash: 'block 199', column: 199 })
  })
})
