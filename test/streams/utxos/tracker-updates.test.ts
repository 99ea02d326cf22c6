import {
  BehaviorSubject,
  NEVER,
  asyncScheduler,
  filter,
  firstValueFrom,
  map,
  of,
  throwError,
  type Observable,
} from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { encodeAddress } from '../../../src/model/address.js'
import type { ChainNetwork } from '../../../src/model/network.js'
import type { NodeNotification } from '../../../src/node/messages/records.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { marbles } from '../../marbles.js'
import { run, simnet } from '../link.js'
import { ALICE, BOB, utxo, payment } from './utxo-fixtures.js'
import { createTrackers, createHarness, toText } from './harness.js'

const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

describe('a UTXO tracker emits only changes', () => {
  it(
    'not while the DAA score advances and nothing matures',
    marbles((m) => {
      const { utxos, node, connect } = createHarness(m, [utxo(1), utxo(2, { isCoinbase: true, blockDaaScore: 1n })])
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toText))
      let now = 1n
      const tick = (): void => node.notify(score(now++))
      run(m.hot('c 9ms t--t--t--t--t'), { c: connect, t: tick })
      m.expect(states$, '^ 40ms !').toBeObservable('u-l---f', { u: 'unknown 0', l: 'loading 0', f: 'fresh 100' })
    }),
  )

  it(
    'not for duplicate notifications or untracked addresses',
    marbles((m) => {
      const { utxos, notifyChange, connect } = createHarness(m, [utxo(1)])
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toText))
      const actions = {
        c: connect,
        t: () => notifyChange([], [utxo(2)]),
        f: () => notifyChange([], [utxo(3, { address: BOB })]),
      }
      run(m.hot('c 9ms t----t---f'), actions)
      m.expect(states$, '^ 40ms !').toBeObservable('u-l---f-----g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        g: 'fresh 300',
      })
    }),
  )

  it(
    'not when a UTXO of another address is reserved',
    marbles((m) => {
      const { utxos, unconfirmed, connect } = createHarness(m, [utxo(1)])
      const counts$ = utxos
        .tracker([ALICE], { mempoolInterval: 0 })
        .state$.pipe(map(({ matureEntries }) => String(matureEntries.length)))
      const actions = {
        c: connect,
        o: () => unconfirmed.reserve(payment(70, { spends: [utxo(9)] })),
        m: () => unconfirmed.reserve(payment(71, { spends: [utxo(1)] })),
      }
      run(m.hot('c 9ms o---m'), actions)
      m.expect(counts$, '^ 40ms !').toBeObservable('0-0---1---------0')
    }),
  )
})

describe('a UTXO tracker fetches again', () => {
  it(
    'everything at once after an undecodable notification',
    marbles((m) => {
      const { utxos, node, callCount, connect } = createHarness(m, [utxo(1)])
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toText))
      const corrupt = (): void => {
        node.respond('getUtxosByAddresses', () => of({ entries: [utxo(2)] }))
        node.sockets.at(-1)?.corrupt('utxos-changed')
      }
      run(m.hot('c 9ms x'), { c: connect, x: corrupt })
      m.expect(states$, '^ 40ms !').toBeObservable('u-l---f-----g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        g: 'fresh 200',
      })
      m.flush()
      expect(callCount('getUtxosByAddresses')).toBe(2)
    }),
  )

  it(
    'once, after 250 ms, for a burst of inconsistent notifications',
    marbles((m) => {
      const { utxos, notifyChange, callCount, connect } = createHarness(m, [utxo(1)])
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toText))
      const notifyUnknown = (): void => notifyChange([utxo(7)], [])
      run(m.hot('c 9ms x---x---x 200ms x'), { c: connect, x: notifyUnknown })
      m.expect(states$, '^ 900ms !').toBeObservable('u-l---f 255ms s---f', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        s: 'stale 100',
      })
      m.flush()
      expect(callCount('getUtxosByAddresses')).toBe(2)
    }),
  )
})

describe('a UTXO tracker on a node without UTXO index', () => {
  it(
    'reports reason and hint, and loads from a node with the index',
    marbles((m) => {
      const { utxos, node, connect } = createHarness(m, [utxo(1)])
      const withIndex = (hasUtxoIndex: boolean): void =>
        node.respond('getServerInfo', () => fixtures.serverInfo({ hasUtxoIndex }))
      withIndex(false)
      const reasons$ = utxos
        .tracker([ALICE], { mempoolInterval: 0 })
        .state$.pipe(map(({ freshness, reason, error }) => `${freshness} ${reason ?? ''} ${error?.hint ?? ''}`))
      const restart = (): void => {
        withIndex(true)
        node.drop()
      }
      run(m.hot('c-------x'), { c: connect, x: restart })
      m.expect(reasons$, '^ 30ms !').toBeObservable('d-n-------d----l---f', {
        d: 'unknown disconnected ',
        n: 'unknown no-utxo-index Run the node with --utxoindex, or set url to such a node.',
        l: 'loading fetching ',
        f: 'fresh  ',
      })
    }),
  )
})

describe('a UTXO tracker on another network', () => {
  it('starts over, also for addresses valid on both, independent of the order of trackers', () => {
    marbles((m) => {
      const { utxos, node, link } = createTrackers(m.scheduler)
      const address = encodeAddress('kaspatest', 'PubKey', new Uint8Array(32))
      const connectTo = (network: ChainNetwork, n: number) => (): unknown => {
        node.respond('getServerInfo', () => fixtures.serverInfo({ networkId: network }))
        node.respond('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries: [utxo(n, { address })] } }))
        const target = { ...simnet, network }
        const { connector } = link
        return n === 1 ? connector.connect(target) : connector.retarget(target)
      }
      run(m.hot('a 19ms b'), { a: connectTo('testnet-10', 1), b: connectTo('testnet-12', 2) })
      const states$ = (): Observable<string> =>
        utxos.tracker([address], { mempoolInterval: 0 }).state$.pipe(map(toText))
      const expected = '(ul)--f 13ms v-l---g'
      const states = { u: 'unknown 0', l: 'loading 0', f: 'fresh 100', v: 'unknown 0', g: 'fresh 200' }
      m.expect(states$(), '^ 40ms !').toBeObservable(expected, states)
      m.expect(states$(), '^ 40ms !').toBeObservable(expected, states)
    })()
  })
})

describe('a UTXO tracker whose connection closes during the handshake', () => {
  it('is not fresh when the next node refuses the subscription', () => {
    marbles((m) => {
      const { utxos, node, link, connect } = createHarness(m, [utxo(1)])
      const refusal = new ChainRpcError('subscribe', new Error('too many'), { code: 'remote' })
      node.respond('subscribe', ({ scope: { type } }) => {
        const isFirst = node.sockets.length === 1
        if (type === 'block-added' && isFirst) return NEVER
        if (type === 'utxos-changed' && !isFirst) return throwError(() => refusal)
        if (type === 'utxos-changed') link.acquire({ type: 'block-added' }) // so that the handshake is still incomplete
        return of({ id: 1n })
      })
      run(m.hot('-c---x'), { c: connect, x: () => node.drop() })
      const reasons$ = utxos
        .tracker([ALICE], { mempoolInterval: 0 })
        .state$.pipe(map(({ freshness, reason }) => `${freshness} ${reason ?? ''}`))
      m.expect(reasons$, '^ 40ms !').toBeObservable('d--l---d----r', {
        d: 'unknown disconnected',
        l: 'loading fetching',
        r: 'unknown subscription-refused',
      })
    })()
  })
})

describe('a UTXO tracker created while its address is being unsubscribed from', () => {
  it('fetches again after the new subscription, because notifications were missing in between', () => {
    marbles((m) => {
      const { utxos, node, connect } = createHarness(m, [])
      let entries = [utxo(1)]
      node.respond('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries } }))
      node.respond('unsubscribe', () => m.cold('--------(a|)', { a: {} }))
      const pay = (): void => void (entries = [utxo(1), utxo(2)])
      run(m.hot('c 2025ms p'), { c: connect, p: pay })
      const states$ = (address: string): Observable<string> =>
        utxos.tracker([address], { mempoolInterval: 0 }).state$.pipe(map(toText))
      const states = { u: 'unknown 0', l: 'loading 0', f: 'fresh 100', s: 'stale 100', g: 'fresh 300' }
      m.expect(states$(BOB), '^ 2080ms !').toBeObservable('u-l---b', { ...states, b: 'fresh 0' })
      m.expect(states$(ALICE), '^ 20ms !').toBeObservable('u-l---f', states)
      m.expect(states$(ALICE), '2024ms ^ 50ms !').toBeObservable('2024ms l-----s----g', states)
    })()
  })
})

describe('ready() and refresh()', () => {
  it('refresh() resolves, also when the node responds within a frame', async () => {
    const { utxos, node, callCount, connect, link } = createTrackers(asyncScheduler)
    node.respond('getUtxosByAddresses', () => of({ entries: [utxo(1)] }))
    const tracker = utxos.tracker([ALICE], { mempoolInterval: 0 })
    const subscription = tracker.state$.subscribe()
    connect()
    await tracker.ready()
    await tracker.refresh()
    expect(callCount('getUtxosByAddresses')).toBe(2)
    subscription.unsubscribe()
    link.dispose()
  })

  it.each(['ready', 'refresh'] as const)('%s() waits for an address that has just been added', async (method) => {
    const { utxos, node, connect, link } = createTrackers(asyncScheduler)
    node.respond('getUtxosByAddresses', ({ addresses }) =>
      of({ entries: addresses.map((address) => utxo(address === ALICE ? 1 : 2, { address })) }),
    )
    const addresses$ = new BehaviorSubject([ALICE])
    const tracker = utxos.tracker(addresses$, { mempoolInterval: 0 })
    const states: string[] = []
    const subscription = tracker.state$.pipe(map(toText)).subscribe((now) => states.push(now))
    connect()
    await tracker.ready()
    addresses$.next([ALICE, BOB])
    await tracker[method]()
    expect(states.at(-1)).toBe('fresh 300')
    subscription.unsubscribe()
    link.dispose()
  })

  it.each([
    ['ready', {}],
    ['refresh', {}],
    ['ready', { signal: new AbortController().signal }],
    ['refresh', { timeout: 100_000 }],
  ] as const)('%s(%o) rejects when the engine is disposed before', async (method, wait) => {
    const { utxos, link } = createTrackers(asyncScheduler)
    const promise = utxos.tracker([ALICE])[method](wait)
    link.dispose()
    await expect(promise).rejects.toMatchObject({ code: 'disposed' })
  })

  it.each(['ready', 'refresh'] as const)(
    '%s() rejects at the end of its time, without a connection',
    async (method) => {
      const { utxos, link } = createTrackers(asyncScheduler)
      const tracker = utxos.tracker([ALICE])
      await expect(tracker[method]({ timeout: 20 })).rejects.toMatchObject({
        code: 'timeout',
        details: 'There was no connection to a node within 20 ms',
      })
      link.dispose()
    },
  )

  it.each(['ready', 'refresh'] as const)('%s() rejects at the end of its time, without a response', async (method) => {
    const { utxos, node, connect, link } = createTrackers(asyncScheduler)
    node.respond('getUtxosByAddresses', () => NEVER)
    const tracker = utxos.tracker([ALICE], { mempoolInterval: 0 })
    const subscription = tracker.state$.subscribe()
    connect()
    await firstValueFrom(link.session$.pipe(filter((session) => session !== null)))
    await expect(tracker[method]({ timeout: 20 })).rejects.toMatchObject({
      code: 'timeout',
      details: 'The node did not return the UTXOs within 20 ms',
    })
    subscription.unsubscribe()
    link.dispose()
  })
})
