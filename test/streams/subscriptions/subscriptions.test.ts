import { VirtualTimeScheduler, map, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import type { ScriptedCall } from '../../../src/testing/scripted-node.js'
import { runs } from '../../full.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run } from '../link.js'
import { ALICE, BOB } from '../utxos/utxo-fixtures.js'

const blockAdded: NotificationScope = { type: 'block-added' }
const utxosOf = (...addresses: string[]): NotificationScope => ({ type: 'utxos-changed', addresses })
const refusal = new ChainRpcError('subscribe', new Error('not today'), { code: 'remote' })

/** The subscribe (+) and unsubscribe (-) requests, in order. */
const requestsOf = (calls: readonly ScriptedCall[]): string[] =>
  calls
    .filter(({ method }) => method === 'subscribe' || method === 'unsubscribe')
    .map(({ method, request }) => {
      const { scope } = request as { readonly scope: NotificationScope }
      return `${method === 'subscribe' ? '+' : '-'} ${'addresses' in scope ? scope.addresses.map(toName).join() : scope.type}`
    })

const toName = (address: string): string => (address === ALICE ? 'alice' : address === BOB ? 'bob' : address)

describe('a subscription', () => {
  it(
    'acquired without a connection is placed on the next one before it counts as connected',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.respond('subscribe', () => m.cold('           ---(a|)', { a: { id: 1n } }))
      run(m.hot('                                   -w---c'), { w: () => link.acquire(blockAdded), c: connect })
      const status$ = link.connector.state$.pipe(map(({ status }) => (status === 'connected' ? 'o' : status.charAt(0))))
      m.expect(status$, '^ 20ms !').toBeObservable('  d----c--o')
    }),
  )

  it(
    'is re-placed after each reconnect, also if the connection dropped during placement',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.respond('subscribe', () => m.cold('---(a|)', { a: { id: 1n } }))
      const script = '-w---c-----x-------x'
      run(m.hot(script), { w: () => link.acquire(blockAdded), c: connect, x: () => node.drop() })
      m.flush()
      expect(requestsOf(node.calls)).toEqual(['+ block-added', '+ block-added', '+ block-added'])
      expect(node.sockets.at(-1)?.subscriptions.types).toEqual(['block-added'])
    }),
  )

  it(
    'is placed once for several subscribers, and removed a second after the last release',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const acquired = [link.acquire(blockAdded), link.acquire(blockAdded)]
      const script = 'c----a----b'
      run(m.hot(script), { c: connect, a: () => acquired[0]?.unsubscribe(), b: () => acquired[1]?.unsubscribe() })
      const isPlaced$ = link.placed$.pipe(map(({ scopes }) => (scopes.size > 0 ? 'y' : 'n')))
      m.expect(isPlaced$, '^ 5s !').toBeObservable('(ny) 6ms 1s n')
      m.flush()
      expect(requestsOf(node.calls)).toEqual(['+ block-added', '- block-added'])
    }),
  )

  it(
    'acquired again within a second is not removed',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const acquired = link.acquire(blockAdded)
      const script = 'c----a 900ms b'
      run(m.hot(script), { c: connect, a: () => acquired.unsubscribe(), b: () => link.acquire(blockAdded) })
      m.flush()
      expect(requestsOf(node.calls)).toEqual(['+ block-added'])
    }),
  )

  it(
    'refused by the node does not affect others, is reported, and is retried after 1 s, 2 s, 4 s',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.respond('subscribe', ({ scope }) =>
        scope.type === 'block-added' ? throwError(() => refusal) : of({ id: 1n }),
      )
      const acquired = link.acquire(blockAdded)
      link.acquire({ type: 'sink-blue-score-changed' })
      run(m.hot('c 7500ms l'), { c: connect, l: () => acquired.unsubscribe() })
      const tries$ = link.placed$.pipe(map(({ refused }) => String(refused.get('block-added')?.tries ?? 0)))
      const placed$ = link.placed$.pipe(map(({ scopes }) => [...scopes.keys()].join()))
      m.expect(tries$, '^ 9s !').toBeObservable('(011) 995ms 2 1999ms 3 3999ms 4 ', undefined)
      m.expect(placed$, '^ 5ms !').toBeObservable('(aab)', { a: '', b: 'sink-blue-score-changed' })
      m.flush()
    }),
  )

  it(
    'to the virtual chain includes accepted ids while a subscriber needs them',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const chain = (ids: boolean): NotificationScope => ({
        type: 'virtual-chain-changed',
        includeAcceptedTransactionIds: ids,
      })
      link.acquire(chain(false))
      const types: string[][] = []
      const record = (): unknown => types.push([...(node.sockets[0]?.subscriptions.types ?? [])])
      const acquired = { current: link.acquire(blockAdded) }
      const actions = {
        c: connect,
        i: () => (acquired.current = link.acquire(chain(true))),
        l: () => acquired.current.unsubscribe(),
        n: record,
      }
      run(m.hot('c-n-i-n-l 1s n'), actions)
      m.flush()
      expect(types).toEqual([
        ['block-added', 'virtual-chain-changed'],
        ['block-added', 'virtual-chain-changed with ids'],
        ['block-added', 'virtual-chain-changed'],
      ])
    }),
  )
})

describe('addresses', () => {
  it(
    'are counted separately: a release removes only addresses without other subscribers',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const both = link.acquire(utxosOf(ALICE, BOB))
      link.acquire(utxosOf(BOB))
      run(m.hot('c-l'), { c: connect, l: () => both.unsubscribe() })
      m.flush()
      expect(requestsOf(node.calls)).toEqual(['+ alice,bob', '- alice'])
      expect(node.sockets[0]?.subscriptions.addresses).toEqual([BOB])
    }),
  )

  it('are never sent as an empty list, which a node interprets as all addresses', () => {
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const acquired = link.acquire(utxosOf(ALICE))
      link.acquire(utxosOf())
      run(m.hot('c-l'), { c: connect, l: () => acquired.unsubscribe() })
      m.flush()
      expect(requestsOf(node.calls)).toEqual(['+ alice', '- alice'])
    })()
  })

  it(
    'are sent once for repeated acquires',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler, {})
      const addresses = Array.from({ length: 2_001 }, () => ALICE)
      link.acquire(utxosOf(...addresses))
      run(m.hot('c'), { c: connect })
      m.flush()
      expect(requestsOf(node.calls)).toEqual(['+ alice'])
    }),
  )

  it(
    'of another network are refused without a request, and the others are placed',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const foreign = 'kaspa:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszu8g5qjdh'
      link.acquire(utxosOf(foreign, ALICE))
      run(m.hot('c'), { c: connect })
      const refused$ = link.placed$.pipe(map(({ refused }) => refused.get(foreign)?.error.code ?? 'none'))
      m.expect(refused$, '^-!').toBeObservable('(ni)', { n: 'none', i: 'invalid-argument' })
      m.flush()
      expect(requestsOf(node.calls)).toEqual(['+ alice'])
    }),
  )

  it(
    'are refused without a request if the node has no UTXO index',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.respond('getServerInfo', () => fixtures.serverInfo({ hasUtxoIndex: false }))
      link.acquire(utxosOf(ALICE))
      run(m.hot('c'), { c: connect })
      const refused$ = link.placed$.pipe(map(({ refused }) => refused.get(ALICE)?.error.hint ?? 'none'))
      m.expect(refused$, '^-!').toBeObservable('(nh)', {
        n: 'none',
        h: 'Run the node with --utxoindex, or set url to such a node.',
      })
    }),
  )
})

describe('invalid addresses', () => {
  it('are refused in one update, also tens of thousands', () => {
    const { link, connect } = createTestLink(new VirtualTimeScheduler(), {}, 10)
    const count = runs(20_000, 40_000)
    const invalid = Array.from({ length: count }, (_, n) => `invalid ${n}`)
    link.acquire(utxosOf(...invalid))
    const refused: number[] = []
    link.placed$.subscribe((placed) => refused.push(placed.refused.size))
    connect()
    expect(Math.max(...refused)).toBe(count)
    link.dispose()
  })
})
