import { map, of, throwError, timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError, type ChainRpcErrorCode } from '../../src/errors/rpc-error.js'
import type { RpcBlock, RpcResponse } from '../../src/node/messages/records.js'
import { createBlocks } from '../../src/streams/blocks.js'
import type { ScriptedNode } from '../../src/testing/scripted-node.js'
import { marbles } from '../marbles.js'
import { createTestLink, run } from './link.js'

type Marbles = Parameters<Parameters<typeof marbles>[0]>[0]

const block = (hash: string): RpcBlock =>
  ({
    header: { hash, daaScore: 1n, timestamp: 0n, blueScore: 0n, blueWork: hash },
    transactions: [],
    verboseData: undefined,
  }) as unknown as RpcBlock
const page = (hashes: string): RpcResponse<'getBlocks'> => ({
  blockHashes: Array.from(hashes),
  blocks: Array.from(hashes, block),
})
const tell = (node: ScriptedNode, hash: string): void =>
  node.notify({ type: 'block-added', data: { block: block(hash) } })
const failing = (code: ChainRpcErrorCode, words = 'no'): Observable<never> =>
  throwError(() => new ChainRpcError('getBlocks', new Error(words), { code }))

/** A link, the blocks heard on it by their letters, and the gaps: from where, and why. */
function createScene(m: Marbles) {
  const { link, node, connect } = createTestLink(m.scheduler)
  const { blocks$, gaps$ } = createBlocks(link)
  node.answer('getSink', () => of({ sink: '0' }))
  node.answer('getBlocks', ({ lowHash = '' }) => of(page(lowHash)))
  return {
    node,
    connect,
    blocks$: blocks$.pipe(map(({ hash }) => hash)),
    gaps$: gaps$.pipe(map(({ from, cause }) => `${from} ${cause.code}`)),
    asked: () => node.calls.flatMap(({ method, request }) => (method === 'getBlocks' ? [request] : [])),
  }
}

describe('blocks', () => {
  it(
    'are told from the first on, while it is still being asked where the node stands',
    marbles((m) => {
      const { node, connect, blocks$ } = createScene(m)
      node.answer('getSink', () => timer(5, m.scheduler).pipe(map(() => ({ sink: 'a' }))))
      run(m.hot('                      c--a----b'), { c: connect, a: () => tell(node, 'a'), b: () => tell(node, 'b') })
      m.expect(blocks$, '^ 20ms !').toBeObservable('---a----b')
    }),
  )

  it(
    'that came in an outage are read page by page, and what is told meanwhile waits its turn',
    marbles((m) => {
      const { node, connect, blocks$ } = createScene(m)
      const pages: Record<string, string> = { a: 'ab', b: 'bc', c: 'c' }
      node.answer('getBlocks', ({ lowHash = '' }) => timer(10, m.scheduler).pipe(map(() => page(pages[lowHash] ?? ''))))
      const deeds = { c: connect, a: () => tell(node, 'a'), x: () => node.drop(), t: () => tell(node, 'd') }
      // the connection is back after 5 ms
      run(m.hot('                      c-a-x 14ms t'), deeds)
      m.expect(blocks$, '^ 80ms !').toBeObservable('--a 16ms b 9ms c 9ms d')
    }),
  )

  it(
    'that came in an outage are read no further than to what the node tells meanwhile, though its chain grows with every answer',
    marbles((m) => {
      const { node, connect, blocks$, asked } = createScene(m)
      const pages: Record<string, string> = { a: 'ab', b: 'bc', c: 'cd', d: 'd' }
      node.answer('getSink', () => of({ sink: 'b' }))
      node.answer('getBlocks', ({ lowHash = '' }) => timer(10, m.scheduler).pipe(map(() => page(pages[lowHash] ?? ''))))
      const deeds = { c: connect, a: () => tell(node, 'a'), x: () => node.drop(), t: () => tell(node, 'c') }
      run(m.hot('                      c-a-x 14ms t'), deeds)
      m.expect(blocks$, '^ 80ms !').toBeObservable('--a 16ms b 9ms c')
      m.flush()
      expect(asked().map((request) => (request as { lowHash: string }).lowHash)).toEqual(['a', 'b'])
    }),
  )

  it(
    'are asked for again after 1 s and 2 s where the node does not answer, on from where it had come to',
    marbles((m) => {
      const { node, connect, blocks$, gaps$, asked } = createScene(m)
      const answers = [of(page('ab')), failing('timeout'), failing('timeout'), of(page('bc')), of(page('c'))]
      node.answer('getBlocks', () => answers.shift() ?? of(page('')))
      run(m.hot('                      c-a-x'), { c: connect, a: () => tell(node, 'a'), x: () => node.drop() })
      m.expect(gaps$, '^ 9s !').toBeObservable('-')
      m.expect(blocks$, '^ 9s !').toBeObservable('--a------b 2969ms c')
      m.flush()
      expect(asked().map((request) => (request as { lowHash: string }).lowHash)).toEqual(['a', 'b', 'b', 'b', 'c'])
    }),
  )

  it(
    'that the node does not know any more are a gap at once, those it will not tell of are one after 15 s',
    marbles((m) => {
      const refused = createScene(m)
      const silent = createScene(m)
      refused.node.answer('getBlocks', () => failing('remote', 'cannot find header a'))
      silent.node.answer('getBlocks', () => failing('remote', 'consensus is currently in a transitional ibd state'))
      for (const { node, connect, blocks$ } of [refused, silent]) {
        blocks$.subscribe()
        run(m.hot('c-a-x'), { c: connect, a: () => tell(node, 'a'), x: () => node.drop() })
      }
      m.expect(refused.gaps$, '^ 29s !').toBeObservable('---------g', { g: 'a remote' })
      m.expect(silent.gaps$, '^ 29s !').toBeObservable('14859ms g', { g: 'a remote' })
    }),
  )
})
