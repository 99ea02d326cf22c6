import { VirtualTimeScheduler, map, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import type { ScriptedCall } from '../../../src/testing/scripted-node.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run } from '../link.js'
import { ALICE, BOB } from '../utxos/coins.js'

const blockAdded: NotificationScope = { type: 'block-added' }
const coinsOf = (...addresses: string[]): NotificationScope => ({ type: 'utxos-changed', addresses })
const refusal = new ChainRpcError('subscribe', new Error('not today'), { code: 'remote' })

/** What a node was asked to tell of, or no longer, in order. */
const asked = (calls: readonly ScriptedCall[]): string[] =>
  calls
    .filter(({ method }) => method === 'subscribe' || method === 'unsubscribe')
    .map(({ method, request }) => {
      const { scope } = request as { readonly scope: NotificationScope }
      return `${method === 'subscribe' ? '+' : '-'} ${'addresses' in scope ? scope.addresses.map(toName).join() : scope.type}`
    })

const toName = (address: string): string => (address === ALICE ? 'alice' : address === BOB ? 'bob' : address)

describe('a subscription', () => {
  it(
    'that is wanted while there is no connection is placed with the next one, before that counts as connected',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.answer('subscribe', () => m.cold('           ---(a|)', { a: { id: 1n } }))
      run(m.hot('                                   -w---c'), { w: () => link.want(blockAdded), c: connect })
      const status$ = link.keeper.state$.pipe(map(({ status }) => (status === 'connected' ? 'o' : status.charAt(0))))
      m.expect(status$, '^ 20ms !').toBeObservable('  d----c--o')
    }),
  )

  it(
    'is placed again after each reconnect, as often as it takes, also where the connection is lost while it is placed',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.answer('subscribe', () => m.cold('---(a|)', { a: { id: 1n } }))
      const script = '-w---c-----x-------x'
      run(m.hot(script), { w: () => link.want(blockAdded), c: connect, x: () => node.drop() })
      m.flush()
      expect(asked(node.calls)).toEqual(['+ block-added', '+ block-added', '+ block-added'])
      expect(node.sockets.at(-1)?.following.types).toEqual(['block-added'])
    }),
  )

  it(
    'is asked for once, however many want it, and let go a second after the last has left',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const wants = [link.want(blockAdded), link.want(blockAdded)]
      const script = 'c----a----b'
      run(m.hot(script), { c: connect, a: () => wants[0]?.unsubscribe(), b: () => wants[1]?.unsubscribe() })
      const told$ = link.placed$.pipe(map(({ scopes }) => (scopes.size > 0 ? 'y' : 'n')))
      m.expect(told$, '^ 5s !').toBeObservable('(ny) 6ms 1s n')
      m.flush()
      expect(asked(node.calls)).toEqual(['+ block-added', '- block-added'])
    }),
  )

  it(
    'that is wanted again within the second was never gone',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const wanted = link.want(blockAdded)
      const script = 'c----a 900ms b'
      run(m.hot(script), { c: connect, a: () => wanted.unsubscribe(), b: () => link.want(blockAdded) })
      m.flush()
      expect(asked(node.calls)).toEqual(['+ block-added'])
    }),
  )

  it(
    'that the node refuses leaves the rest working, is seen, and is asked for again after 1 s, 2 s, 4 s',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.answer('subscribe', ({ scope }) =>
        scope.type === 'block-added' ? throwError(() => refusal) : of({ id: 1n }),
      )
      const wanted = link.want(blockAdded)
      link.want({ type: 'sink-blue-score-changed' })
      run(m.hot('c 7500ms l'), { c: connect, l: () => wanted.unsubscribe() })
      const tries$ = link.placed$.pipe(map(({ refused }) => String(refused.get('block-added')?.tries ?? 0)))
      const placed$ = link.placed$.pipe(map(({ scopes }) => [...scopes.keys()].join()))
      m.expect(tries$, '^ 9s !').toBeObservable('(011) 995ms 2 1999ms 3 3999ms 4 ', undefined)
      m.expect(placed$, '^ 5ms !').toBeObservable('(aab)', { a: '', b: 'sink-blue-score-changed' })
      m.flush()
    }),
  )

  it(
    'changes its flag where someone wants what others can do without',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const chain = (ids: boolean): NotificationScope => ({
        type: 'virtual-chain-changed',
        includeAcceptedTransactionIds: ids,
      })
      link.want(chain(false))
      const types: string[][] = []
      const note = (): unknown => types.push([...(node.sockets[0]?.following.types ?? [])])
      const wanted = { current: link.want(blockAdded) }
      const deeds = {
        c: connect,
        i: () => (wanted.current = link.want(chain(true))),
        l: () => wanted.current.unsubscribe(),
        n: note,
      }
      run(m.hot('c-n-i-n-l 1s n'), deeds)
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
    'are counted one by one: who leaves takes only what nobody else watches',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const both = link.want(coinsOf(ALICE, BOB))
      link.want(coinsOf(BOB))
      run(m.hot('c-l'), { c: connect, l: () => both.unsubscribe() })
      m.flush()
      expect(asked(node.calls)).toEqual(['+ alice,bob', '- alice'])
      expect(node.sockets[0]?.following.addresses).toEqual([BOB])
    }),
  )

  it('are never asked for as an empty list, which to a node means every address', () => {
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const wanted = link.want(coinsOf(ALICE))
      link.want(coinsOf())
      run(m.hot('c-l'), { c: connect, l: () => wanted.unsubscribe() })
      m.flush()
      expect(asked(node.calls)).toEqual(['+ alice', '- alice'])
    })()
  })

  it(
    'are asked for a thousand at a time',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler, {})
      const addresses = Array.from({ length: 2_001 }, () => ALICE)
      link.want(coinsOf(...addresses))
      run(m.hot('c'), { c: connect })
      m.flush()
      expect(asked(node.calls)).toEqual(['+ alice']) // one address, however often it is wanted
    }),
  )

  it(
    'of another network are refused here, and the others asked for',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      const foreign = 'kaspa:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszu8g5qjdh'
      link.want(coinsOf(foreign, ALICE))
      run(m.hot('c'), { c: connect })
      const refused$ = link.placed$.pipe(map(({ refused }) => refused.get(foreign)?.error.code ?? 'none'))
      m.expect(refused$, '^-!').toBeObservable('(ni)', { n: 'none', i: 'invalid-argument' })
      m.flush()
      expect(asked(node.calls)).toEqual(['+ alice'])
    }),
  )

  it(
    'are not asked for of a node without the index, which would keep silent for ever',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.answer('getServerInfo', () => of({ ...serverInfo, hasUtxoIndex: false }))
      link.want(coinsOf(ALICE))
      run(m.hot('c'), { c: connect })
      const refused$ = link.placed$.pipe(map(({ refused }) => refused.get(ALICE)?.error.hint ?? 'none'))
      m.expect(refused$, '^-!').toBeObservable('(nh)', {
        n: 'none',
        h: 'Run the node with --utxoindex, or give the url of one that does.',
      })
    }),
  )
})

const serverInfo = {
  rpcApiVersion: 1,
  rpcApiRevision: 0,
  serverVersion: '2.1.0',
  networkId: 'simnet',
  hasUtxoIndex: true,
  isSynced: true,
  virtualDaaScore: 0n,
}

describe('addresses that nobody can watch', () => {
  it('are refused together: tens of thousands of them hold up nothing', () => {
    const { link, connect } = createTestLink(new VirtualTimeScheduler(), {}, 10)
    const strangers = Array.from({ length: 40_000 }, (_, n) => `stranger ${n}`)
    link.want(coinsOf(...strangers))
    const refused: number[] = []
    link.placed$.subscribe((placed) => refused.push(placed.refused.size))
    connect()
    expect(Math.max(...refused)).toBe(40_000)
    link.dispose()
  })
})
