import { describe, expect, it } from 'vitest'
import { filterNodes, findNode, type InspectorNode } from '../../../../src/adapters/vue/devtools/inspector-node.js'

const node = (id: string, label: string, children: readonly InspectorNode[] = []): InspectorNode => ({
  id,
  label,
  children,
  state: () => ({}),
})

const TREE = [node('a', 'Connection'), node('b', 'REST', [node('b/1', 'GET /info'), node('b/2', 'GET /blocks')])]

describe('findNode', () => {
  it('finds a node at any depth by its id', () => {
    expect(findNode(TREE, 'a')?.label).toBe('Connection')
    expect(findNode(TREE, 'b/2')?.label).toBe('GET /blocks')
    expect(findNode(TREE, 'c')).toBeUndefined()
  })
})

describe('filterNodes', () => {
  const idsOf = (nodes: readonly InspectorNode[]): unknown[] =>
    nodes.map(({ id, children = [] }) => (children.length === 0 ? id : [id, idsOf(children)]))

  it.each([
    ['', ['a', ['b', ['b/1', 'b/2']]]],
    ['connect', ['a']],
    ['rest', [['b', ['b/1', 'b/2']]]],
    ['BLOCKS', [['b', ['b/2']]]],
    ['none', []],
  ])('keeps nodes that contain "%s", in any case, with their ancestors', (text, expected) => {
    expect(idsOf(filterNodes(TREE, text))).toEqual(expected)
  })
})
