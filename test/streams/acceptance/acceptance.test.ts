import { map, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError, type ChainRpcErrorCode } from '../../../src/errors/rpc-error.js'
import type { RpcMethod, VirtualChainResult } from '../../../src/node/messages/records.js'
import { createAcceptance } from '../../../src/streams/acceptance/acceptance.js'
import type { ScriptedCall, ScriptedNode } from '../../../src/testing/scripted-node.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run } from '../link.js'

/** Block `a` accepts transaction `a`. */
const change = (added: string, removed = ''): VirtualChainResult => ({
  removedChainBlockHashes: Array.from(removed),
  addedChainBlockHashes: Array.from(added),
  acceptedTransactionIds: Array.from(added, (one) => ({ acceptingBlockHash: one, acceptedTransactionIds: [one] })),
})
const tell = (node: ScriptedNode, added: string, removed = ''): void =>
  node.notify({ type: 'virtual-chain-changed', data: change(added, removed) })

/** What was asked of the node about its chain, in order. */
const asked = (calls: readonly ScriptedCall[]): string[] =>
  calls
    .filter(({ method }) => method === 'getSink' || method === 'getVirtualChainFromBlock')
    .map(({ method, request }) =>
      method === 'getSink' ? 'sink' : `from ${(request as { startHash: string }).startHash}`,
    )

const failure = (method: RpcMethod, code: ChainRpcErrorCode, words = 'no'): ChainRpcError =>
  new ChainRpcError(method, new Error(words), { code })

type Marbles = Parameters<Parameters<typeof marbles>[0]>[0]

/** A link, and what is heard on it: a letter accepted, a capital one taken back. */
function createScene(m: Marbles) {
  const { link, node, connect } = createTestLink(m.scheduler)
  const streams = createAcceptance(link)
  const letters$ = streams.changes$.pipe(
    map(({ type, transactionId }) => (type === 'accepted' ? transactionId : transactionId.toUpperCase())),
  )
  node.answer('getSink', () => of({ sink: '0' }))
  node.answer('getVirtualChainFromBlock', () => of(change('')))
  return { link, node, connect, streams, letters$ }
}

describe('the virtual chain', () => {
  it(
    'is asked where it stands once the node tells of it, and how it goes on where what is told leaves a doubt',
    marbles((m) => {
      const { node, connect, letters$ } = createScene(m)
      node.answer('getVirtualChainFromBlock', ({ startHash }) => of(change(startHash === '0' ? 'a' : '')))
      run(m.hot('                     c--a--b'), { c: connect, a: () => tell(node, 'a'), b: () => tell(node, 'b') })
      m.expect(letters$, '^--------!').toBeObservable('---a--b')
      m.flush()
      expect(asked(node.calls)).toEqual(['sink', 'from 0', 'from a'])
    }),
  )

  it(
    'is read on from the cursor after an outage, page by page, before what is told then',
    marbles((m) => {
      const { node, connect, letters$ } = createScene(m)
      const pages: Record<string, string> = { '0': 'a', a: 'bc', c: 'd', d: 'e' }
      node.answer('getVirtualChainFromBlock', ({ startHash }) => {
        const page = change(pages[startHash] ?? '')
        return timer(10, m.scheduler).pipe(map(() => page))
      })
      const deeds = { c: connect, x: () => node.drop(), e: () => tell(node, 'e') }
      // the connection is back after 5 ms, a page takes 10 ms; `e` is told meanwhile, and waits its turn
      run(m.hot('                      c---------x 29ms e'), deeds)
      m.expect(letters$, '^ 80ms !').toBeObservable('25ms a 9ms (bc) 6ms d 9ms e')
      m.flush()
    }),
  )

  it(
    'is asked again after 1 s and 2 s where the node does not answer',
    marbles((m) => {
      const { node, connect, letters$ } = createScene(m)
      let tries = 0
      node.answer('getSink', () => (tries++ < 2 ? throwError(() => failure('getSink', 'timeout')) : of({ sink: '0' })))
      run(m.hot('c'), { c: connect })
      letters$.subscribe()
      m.scheduler.schedule(() => expect(tries).toBe(2), 2_900)
      m.scheduler.schedule(() => expect(tries).toBe(3), 3_100)
      m.flush()
      expect(asked(node.calls)).toEqual(['sink', 'sink', 'sink'])
    }),
  )

  it(
    'that the node will not tell of any more is a gap, which says from where to where',
    marbles((m) => {
      const { node, connect, streams, letters$ } = createScene(m)
      const gone = failure('getVirtualChainFromBlock', 'remote', 'cannot find header 0')
      node.answer('getVirtualChainFromBlock', () => throwError(() => gone))
      const gap$ = streams.gaps$.pipe(map(({ from, to }) => `${from}${to}`))
      letters$.subscribe()
      run(m.hot('           c--b----------'), { c: connect, b: () => tell(node, 'b') })
      m.expect(gap$, '^ 20ms !').toBeObservable('---g', { g: '0b' })
    }),
  )

  it(
    'that the node will not tell of just now is asked for again, and is a gap only after 15 s',
    marbles((m) => {
      const { node, connect, streams, letters$ } = createScene(m)
      const busy = failure('getVirtualChainFromBlock', 'remote', 'consensus is currently in a transitional ibd state')
      node.answer('getVirtualChainFromBlock', () => throwError(() => busy))
      const gap$ = streams.gaps$.pipe(map(({ from, to }) => `${from}${to}`))
      letters$.subscribe()
      run(m.hot('           c--b----------'), { c: connect, b: () => tell(node, 'b') })
      m.expect(gap$, '^ 20s !').toBeObservable('14853ms g', { g: '0b' })
    }),
  )

  it(
    'is not asked for by anyone who waits for gaps, and no longer once the last listener has left',
    marbles((m) => {
      const { link, connect, streams, letters$ } = createScene(m)
      streams.gaps$.subscribe()
      const listening = letters$.subscribe()
      run(m.hot('c--l'), { c: connect, l: () => listening.unsubscribe() })
      const told$ = link.placed$.pipe(map(({ scopes }) => (scopes.has('virtual-chain-changed') ? 'y' : 'n')))
      m.expect(told$, '^ 5s !').toBeObservable('(ny) 1999ms n')
      m.flush()
      expect(streams.chains()).toEqual([])
    }),
  )
})

describe('one who begins at a block', () => {
  it(
    'hears what was accepted since, then what is told',
    marbles((m) => {
      const { node, connect, streams } = createScene(m)
      const pages: Record<string, string> = { k: 'ab' }
      node.answer('getVirtualChainFromBlock', ({ startHash }) => of(change(pages[startHash] ?? '')))
      const grow = (): void => {
        pages.b = 'c'
        tell(node, 'c')
      }
      run(m.hot('                  c----t'), { c: connect, t: grow })
      const since$ = streams.changesSince$('k').pipe(map(({ transactionId }) => transactionId))
      m.expect(since$, '^ 20ms !').toBeObservable('(ab)-c')
      m.flush()
      expect(asked(node.calls).slice(0, 2)).toEqual(['from k', 'from b'])
    }),
  )
})

describe('whether the node tells of it', () => {
  it(
    'is known once it has been subscribed to, or has refused; without a connection nothing is awaited',
    marbles((m) => {
      const { node, connect, streams, letters$ } = createScene(m)
      node.answer('subscribe', ({ scope }) =>
        scope.type === 'virtual-chain-changed' ? throwError(() => failure('subscribe', 'remote')) : of({ id: 1n }),
      )
      letters$.subscribe()
      run(m.hot('--c 1500ms a'), { c: connect, a: () => node.answer('subscribe', () => of({ id: 1n })) })
      const refusal$ = streams.placement.refusal$.pipe(map((error) => (error === null ? 'n' : 'r')))
      m.expect(refusal$, '^ 5s !').toBeObservable('n-r 999ms r 1999ms n')
    }),
  )
})
