import { NEVER, interval, map, of, take, throwError, timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError, type ChainRpcErrorCode } from '../../src/errors/rpc-error.js'
import type { RpcBlock, RpcResponse } from '../../src/node/messages/records.js'
import { createBlocks } from '../../src/streams/follow-blocks.js'
import type { NodeLinkDeps } from '../../src/streams/session/node-link.js'
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
const notify = (node: ScriptedNode, hash: string): void =>
  node.notify({ type: 'block-added', data: { block: block(hash) } })
const failingWith = (code: ChainRpcErrorCode, message = 'no'): Observable<never> =>
  throwError(() => new ChainRpcError('getBlocks', new Error(message), { code }))

/** A link, its blocks by letter, and its gaps: start and cause. */
function createHarness(m: Marbles, deps?: Partial<NodeLinkDeps>) {
  const { link, node, connect } = createTestLink(m.scheduler, deps)
  const { blocks$, gaps$ } = createBlocks(link)
  node.respond('getSink', () => of({ sink: '0' }))
  node.respond('getBlocks', ({ lowHash = '' }) => of(page(lowHash)))
  return {
    node,
    connect,
    blocks$: blocks$.pipe(map(({ hash }) => hash)),
    gaps$: gaps$.pipe(map(({ from, cause }) => `${from} ${cause.code}`)),
    requests: () => node.calls.flatMap(({ method, request }) => (method === 'getBlocks' ? [request] : [])),
  }
}

describe('blocks', () => {
  it(
    'emits from the first notification on, while the sink is being fetched',
    marbles((m) => {
      const { node, connect, blocks$ } = createHarness(m)
      node.respond('getSink', () => timer(5, m.scheduler).pipe(map(() => ({ sink: 'a' }))))
      run(m.hot('                      c--a----b'), {
        c: connect,
        a: () => notify(node, 'a'),
        b: () => notify(node, 'b'),
      })
      m.expect(blocks$, '^ 20ms !').toBeObservable('---a----b')
    }),
  )

  it(
    'backfills an outage page by page, and queues notifications meanwhile',
    marbles((m) => {
      const { node, connect, blocks$ } = createHarness(m)
      const pages: Record<string, string> = { a: 'ab', b: 'bc', c: 'c' }
      node.respond('getBlocks', ({ lowHash = '' }) =>
        timer(10, m.scheduler).pipe(map(() => page(pages[lowHash] ?? ''))),
      )
      const actions = { c: connect, a: () => notify(node, 'a'), x: () => node.drop(), t: () => notify(node, 'd') }
      // reconnects after 5 ms
      run(m.hot('                      c-a-x 14ms t'), actions)
      m.expect(blocks$, '^ 80ms !').toBeObservable('--a 16ms b 9ms c 9ms d')
    }),
  )

  it(
    'backfills an outage only up to the notified blocks, though the chain grows with every response',
    marbles((m) => {
      const { node, connect, blocks$, requests } = createHarness(m)
      const pages: Record<string, string> = { a: 'ab', b: 'bc', c: 'cd', d: 'd' }
      node.respond('getSink', () => of({ sink: 'b' }))
      node.respond('getBlocks', ({ lowHash = '' }) =>
        timer(10, m.scheduler).pipe(map(() => page(pages[lowHash] ?? ''))),
      )
      const actions = { c: connect, a: () => notify(node, 'a'), x: () => node.drop(), t: () => notify(node, 'c') }
      run(m.hot('                      c-a-x 14ms t'), actions)
      m.expect(blocks$, '^ 80ms !').toBeObservable('--a 16ms b 9ms c')
      m.flush()
      expect(requests().map((request) => (request as { lowHash: string }).lowHash)).toEqual(['a', 'b'])
    }),
  )

  it(
    'retries a page without a response after the usual timeout of a request',
    marbles((m) => {
      const { node, connect, blocks$, gaps$ } = createHarness(m)
      const responses = [NEVER, of(page('ab')), of(page('b'))]
      node.respond('getBlocks', () => responses.shift() ?? of(page('')))
      run(m.hot('                      c-a-x'), { c: connect, a: () => notify(node, 'a'), x: () => node.drop() })
      m.expect(gaps$, '^ 9s !').toBeObservable('-')
      m.expect(blocks$, '^ 9s !').toBeObservable('--a------ 1990ms b')
    }),
  )

  it(
    'retries a page whose response is lost, after ten seconds of notifications',
    marbles((m) => {
      const { node, connect, blocks$, gaps$ } = createHarness(m, { requestTimeout: 60_000 })
      const responses = [NEVER, of(page('ab')), of(page('b'))]
      node.respond('getBlocks', () => responses.shift() ?? of(page('')))
      run(m.hot('                      c-a-x'), { c: connect, a: () => notify(node, 'a'), x: () => node.drop() })
      interval(100, m.scheduler)
        .pipe(take(200))
        .subscribe(() => notify(node, 'b'))
      m.expect(gaps$, '^ 29s !').toBeObservable('-')
      m.expect(blocks$, '^ 29s !').toBeObservable('--a 11087ms b')
    }),
  )

  it(
    'retries the backfill after 1 s and 2 s, from where it stopped',
    marbles((m) => {
      const { node, connect, blocks$, gaps$, requests } = createHarness(m)
      const responses = [of(page('ab')), failingWith('timeout'), failingWith('timeout'), of(page('bc')), of(page('c'))]
      node.respond('getBlocks', () => responses.shift() ?? of(page('')))
      run(m.hot('                      c-a-x'), { c: connect, a: () => notify(node, 'a'), x: () => node.drop() })
      m.expect(gaps$, '^ 9s !').toBeObservable('-')
      m.expect(blocks$, '^ 9s !').toBeObservable('--a------b 2969ms c')
      m.flush()
      expect(requests().map((request) => (request as { lowHash: string }).lowHash)).toEqual(['a', 'b', 'b', 'b', 'c'])
    }),
  )

  it(
    'reports a gap at once for pruned blocks, and after 15 s where the node keeps refusing',
    marbles((m) => {
      const refused = createHarness(m)
      const syncing = createHarness(m)
      refused.node.respond('getBlocks', () => failingWith('remote', 'cannot find header a'))
      syncing.node.respond('getBlocks', () =>
        failingWith('remote', 'consensus is currently in a transitional ibd state'),
      )
      for (const { node, connect, blocks$ } of [refused, syncing]) {
        blocks$.subscribe()
        run(m.hot('c-a-x'), { c: connect, a: () => notify(node, 'a'), x: () => node.drop() })
      }
      m.expect(refused.gaps$, '^ 29s !').toBeObservable('---------g', { g: 'a remote' })
      m.expect(syncing.gaps$, '^ 29s !').toBeObservable('14859ms g', { g: 'a remote' })
    }),
  )
})
