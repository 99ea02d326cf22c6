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
const notify = (node: ScriptedNode, added: string, removed = ''): void =>
  node.notify({ type: 'virtual-chain-changed', data: change(added, removed) })

/** The requests about the chain, in order. */
const chainRequests = (calls: readonly ScriptedCall[]): string[] =>
  calls
    .filter(({ method }) => method === 'getSink' || method === 'getVirtualChainFromBlock')
    .map(({ method, request }) =>
      method === 'getSink' ? 'sink' : `from ${(request as { startHash: string }).startHash}`,
    )

const failure = (method: RpcMethod, code: ChainRpcErrorCode, message = 'no'): ChainRpcError =>
  new ChainRpcError(method, new Error(message), { code })

type Marbles = Parameters<Parameters<typeof marbles>[0]>[0]

/** A link and its changes: lower case accepted, upper case reverted. */
function createHarness(m: Marbles) {
  const { link, node, connect } = createTestLink(m.scheduler)
  const streams = createAcceptance(link)
  const letters$ = streams.changes$.pipe(
    map(({ type, transactionId }) => (type === 'accepted' ? transactionId : transactionId.toUpperCase())),
  )
  node.respond('getSink', () => of({ sink: '0' }))
  node.respond('getVirtualChainFromBlock', () => of(change('')))
  return { link, node, connect, streams, letters$ }
}

describe('acceptance changes', () => {
  it(
    'start at the sink once subscribed, and catch up where a notification is ambiguous',
    marbles((m) => {
      const { node, connect, letters$ } = createHarness(m)
      node.respond('getVirtualChainFromBlock', ({ startHash }) => of(change(startHash === '0' ? 'a' : '')))
      run(m.hot('                     c--a--b'), { c: connect, a: () => notify(node, 'a'), b: () => notify(node, 'b') })
      m.expect(letters$, '^--------!').toBeObservable('---a--b')
      m.flush()
      expect(chainRequests(node.calls)).toEqual(['sink', 'from 0', 'from a'])
    }),
  )

  it(
    'are backfilled from the cursor after an outage, page by page, before notifications',
    marbles((m) => {
      const { node, connect, letters$ } = createHarness(m)
      const pages: Record<string, string> = { '0': 'a', a: 'bc', c: 'd', d: 'e' }
      node.respond('getVirtualChainFromBlock', ({ startHash }) => {
        const page = change(pages[startHash] ?? '')
        return timer(10, m.scheduler).pipe(map(() => page))
      })
      const actions = { c: connect, x: () => node.drop(), e: () => notify(node, 'e') }
      // reconnects after 5 ms, a page takes 10 ms; `e` is notified meanwhile and queued
      run(m.hot('                      c---------x 29ms e'), actions)
      m.expect(letters$, '^ 80ms !').toBeObservable('25ms a 9ms (bc) 6ms d 9ms e')
      m.flush()
    }),
  )

  it(
    'retry after 1 s and 2 s where the node does not respond',
    marbles((m) => {
      const { node, connect, letters$ } = createHarness(m)
      let tries = 0
      node.respond('getSink', () => (tries++ < 2 ? throwError(() => failure('getSink', 'timeout')) : of({ sink: '0' })))
      run(m.hot('c'), { c: connect })
      letters$.subscribe()
      m.scheduler.schedule(() => expect(tries).toBe(2), 2_900)
      m.scheduler.schedule(() => expect(tries).toBe(3), 3_100)
      m.flush()
      expect(chainRequests(node.calls)).toEqual(['sink', 'sink', 'sink'])
    }),
  )

  it(
    'report a gap for pruned blocks, with its start and end',
    marbles((m) => {
      const { node, connect, streams, letters$ } = createHarness(m)
      const unavailable = failure('getVirtualChainFromBlock', 'remote', 'cannot find header 0')
      node.respond('getVirtualChainFromBlock', () => throwError(() => unavailable))
      const gap$ = streams.gaps$.pipe(map(({ from, to }) => `${from}${to}`))
      letters$.subscribe()
      run(m.hot('           c--b----------'), { c: connect, b: () => notify(node, 'b') })
      m.expect(gap$, '^ 20ms !').toBeObservable('---g', { g: '0b' })
    }),
  )

  it(
    'retry where the node refuses for now, and report a gap only after 15 s',
    marbles((m) => {
      const { node, connect, streams, letters$ } = createHarness(m)
      const busy = failure('getVirtualChainFromBlock', 'remote', 'consensus is currently in a transitional ibd state')
      node.respond('getVirtualChainFromBlock', () => throwError(() => busy))
      const gap$ = streams.gaps$.pipe(map(({ from, to }) => `${from}${to}`))
      letters$.subscribe()
      run(m.hot('           c--b----------'), { c: connect, b: () => notify(node, 'b') })
      m.expect(gap$, '^ 20s !').toBeObservable('14853ms g', { g: '0b' })
    }),
  )

  it(
    'need no subscription for gaps, and end it after the last subscriber has left',
    marbles((m) => {
      const { link, connect, streams, letters$ } = createHarness(m)
      streams.gaps$.subscribe()
      const subscription = letters$.subscribe()
      run(m.hot('c--l'), { c: connect, l: () => subscription.unsubscribe() })
      const placed$ = link.placed$.pipe(map(({ scopes }) => (scopes.has('virtual-chain-changed') ? 'y' : 'n')))
      m.expect(placed$, '^ 5s !').toBeObservable('(ny) 1999ms n')
      m.flush()
      expect(streams.chains()).toEqual([])
    }),
  )
})

describe('acceptance changes since a block', () => {
  it(
    'emit what was accepted since, then notifications',
    marbles((m) => {
      const { node, connect, streams } = createHarness(m)
      const pages: Record<string, string> = { k: 'ab' }
      node.respond('getVirtualChainFromBlock', ({ startHash }) => of(change(pages[startHash] ?? '')))
      const grow = (): void => {
        pages.b = 'c'
        notify(node, 'c')
      }
      run(m.hot('                  c----t'), { c: connect, t: grow })
      const since$ = streams.changesSince$('k').pipe(map(({ transactionId }) => transactionId))
      m.expect(since$, '^ 20ms !').toBeObservable('(ab)-c')
      m.flush()
      expect(chainRequests(node.calls).slice(0, 2)).toEqual(['from k', 'from b'])
    }),
  )
})

describe('the placement of the virtual chain', () => {
  it(
    'follows subscription and refusal; without a connection it counts as placed',
    marbles((m) => {
      const { node, connect, streams, letters$ } = createHarness(m)
      node.respond('subscribe', ({ scope }) =>
        scope.type === 'virtual-chain-changed' ? throwError(() => failure('subscribe', 'remote')) : of({ id: 1n }),
      )
      letters$.subscribe()
      run(m.hot('--c 1500ms a'), { c: connect, a: () => node.respond('subscribe', () => of({ id: 1n })) })
      const refusal$ = streams.placement.refusal$.pipe(map((error) => (error === null ? 'n' : 'r')))
      m.expect(refusal$, '^ 5s !').toBeObservable('n-r 999ms r 1999ms n')
    }),
  )
})
