import { BehaviorSubject, NEVER, asyncScheduler, map, of, throwError, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { encodeAddress } from '../../../src/model/address.js'
import type { ChainNetwork } from '../../../src/model/network.js'
import type { NodeNotification } from '../../../src/node/messages/records.js'
import { marbles } from '../../marbles.js'
import { GREETING } from '../../engine/promises/chain-node.js'
import { run, simnet } from '../link.js'
import { ALICE, BOB, coin } from './coins.js'
import { createLedgers, createScene, toWords } from './scene.js'

const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

describe('a ledger emits only changes', () => {
  it(
    'and so nothing while the DAA score goes on and nothing ripens',
    marbles((m) => {
      const { utxos, node, connect } = createScene(m, [coin(1), coin(2, { isCoinbase: true, blockDaaScore: 1n })])
      const words$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      let now = 1n
      const tick = (): void => node.notify(score(now++))
      run(m.hot('c 9ms t--t--t--t--t'), { c: connect, t: tick })
      m.expect(words$, '^ 40ms !').toBeObservable('u-l---f', { u: 'unknown 0', l: 'loading 0', f: 'fresh 100' })
    }),
  )

  it(
    'and so nothing where a notification comes twice, or concerns nobody here',
    marbles((m) => {
      const { utxos, tell, connect } = createScene(m, [coin(1)])
      const words$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      const deeds = { c: connect, t: () => tell([], [coin(2)]), f: () => tell([], [coin(3, { address: BOB })]) }
      run(m.hot('c 9ms t----t---f'), deeds)
      m.expect(words$, '^ 40ms !').toBeObservable('u-l---f-----g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        g: 'fresh 300',
      })
    }),
  )

  it(
    "and so nothing where a payment takes someone else's coin",
    marbles((m) => {
      const { utxos, reservations, connect } = createScene(m, [coin(1)])
      const offers$ = utxos
        .ledger([ALICE], { mempoolInterval: 0 })
        .state$.pipe(map(({ matureEntries }) => String(matureEntries.length)))
      const deeds = {
        c: connect,
        o: () => reservations.reserve([coin(9).outpoint]),
        m: () => reservations.reserve([coin(1).outpoint]),
      }
      run(m.hot('c 9ms o---m'), deeds)
      m.expect(offers$, '^ 40ms !').toBeObservable('0-0---1---------0')
    }),
  )
})

describe('a ledger looks again', () => {
  it(
    'at everything, at once, where a notification could not be read',
    marbles((m) => {
      const { utxos, node, asked, connect } = createScene(m, [coin(1)])
      const words$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      const garble = (): void => {
        node.answer('getUtxosByAddresses', () => of({ entries: [coin(2)] }))
        node.sockets.at(-1)?.garble('utxos-changed')
      }
      run(m.hot('c 9ms x'), { c: connect, x: garble })
      m.expect(words$, '^ 40ms !').toBeObservable('u-l---f-----g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        g: 'fresh 200',
      })
      m.flush()
      expect(asked('getUtxosByAddresses')).toBe(2)
    }),
  )

  it(
    'once, a quarter of a second later, where a shower of notifications left it in doubt',
    marbles((m) => {
      const { utxos, tell, asked, connect } = createScene(m, [coin(1)])
      const words$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      const mixedUp = (): void => tell([coin(7)], [])
      run(m.hot('c 9ms x---x---x 200ms x'), { c: connect, x: mixedUp })
      m.expect(words$, '^ 900ms !').toBeObservable('u-l---f 255ms s---f', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        s: 'stale 100',
      })
      m.flush()
      expect(asked('getUtxosByAddresses')).toBe(2)
    }),
  )
})

describe('a ledger whose node runs without the UTXO index', () => {
  it(
    'knows nothing, says why and what to do, and is made whole by a node that has it',
    marbles((m) => {
      const { utxos, node, connect } = createScene(m, [coin(1)])
      const withIndex = (hasUtxoIndex: boolean): void =>
        node.answer('getServerInfo', () => of({ ...GREETING, hasUtxoIndex }))
      withIndex(false)
      const why$ = utxos
        .ledger([ALICE], { mempoolInterval: 0 })
        .state$.pipe(map(({ freshness, reason, error }) => `${freshness} ${reason ?? ''} ${error?.hint ?? ''}`))
      const restart = (): void => {
        withIndex(true)
        node.drop()
      }
      run(m.hot('c-------x'), { c: connect, x: restart })
      m.expect(why$, '^ 30ms !').toBeObservable('d-n-------d----l---f', {
        d: 'unknown disconnected ',
        n: 'unknown no-utxo-index Run the node with --utxoindex, or give the url of one that does.',
        l: 'loading fetching ',
        f: 'fresh  ',
      })
    }),
  )
})

describe('a ledger on another network', () => {
  it('begins anew, also where its addresses mean something there, and whichever ledger hears of it first', () => {
    marbles((m) => {
      const { utxos, node, link } = createLedgers(m.scheduler)
      const address = encodeAddress('kaspatest', 'PubKey', new Uint8Array(32))
      const seek = (network: ChainNetwork, n: number) => (): unknown => {
        node.answer('getServerInfo', () => of({ ...GREETING, networkId: network }))
        node.answer('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries: [coin(n, { address })] } }))
        const target = { ...simnet, network }
        const { keeper } = link
        return n === 1 ? keeper.connect(target) : keeper.retarget(target)
      }
      run(m.hot('a 19ms b'), { a: seek('testnet-10', 1), b: seek('testnet-12', 2) })
      const words$ = (): Observable<string> => utxos.ledger([address], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      const expected = '(ul)--f 13ms v-l---g'
      const words = { u: 'unknown 0', l: 'loading 0', f: 'fresh 100', v: 'unknown 0', g: 'fresh 200' }
      m.expect(words$(), '^ 40ms !').toBeObservable(expected, words)
      m.expect(words$(), '^ 40ms !').toBeObservable(expected, words)
    })()
  })
})

describe('a ledger whose node agreed to tell of it, and was lost before the handshake was done', () => {
  it('takes nothing for fresh that the next node refuses to tell of', () => {
    marbles((m) => {
      const { utxos, node, link, connect } = createScene(m, [coin(1)])
      const refusal = new ChainRpcError('subscribe', new Error('too many'), { code: 'remote' })
      node.answer('subscribe', ({ scope: { type } }) => {
        const isFirst = node.sockets.length === 1
        if (type === 'block-added' && isFirst) return NEVER
        if (type === 'utxos-changed' && !isFirst) return throwError(() => refusal)
        if (type === 'utxos-changed') link.want({ type: 'block-added' }) // so that its handshake is not done yet
        return of({ id: 1n })
      })
      run(m.hot('-c---x'), { c: connect, x: () => node.drop() })
      const why$ = utxos
        .ledger([ALICE], { mempoolInterval: 0 })
        .state$.pipe(map(({ freshness, reason }) => `${freshness} ${reason ?? ''}`))
      m.expect(why$, '^ 40ms !').toBeObservable('d--l---d----r', {
        d: 'unknown disconnected',
        l: 'loading fetching',
        r: 'unknown subscription-refused',
      })
    })()
  })
})

describe('a ledger that comes while the node is being told that nobody wants its address any more', () => {
  it('is read again once the node tells of it again: what happened between was told to nobody', () => {
    marbles((m) => {
      const { utxos, node, connect } = createScene(m, [])
      let coins = [coin(1)]
      node.answer('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries: coins } }))
      node.answer('unsubscribe', () => m.cold('--------(a|)', { a: {} }))
      const pay = (): void => void (coins = [coin(1), coin(2)])
      run(m.hot('c 2025ms p'), { c: connect, p: pay })
      const words$ = (address: string): Observable<string> =>
        utxos.ledger([address], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      const words = { u: 'unknown 0', l: 'loading 0', f: 'fresh 100', s: 'stale 100', g: 'fresh 300' }
      m.expect(words$(BOB), '^ 2080ms !').toBeObservable('u-l---b', { ...words, b: 'fresh 0' })
      m.expect(words$(ALICE), '^ 20ms !').toBeObservable('u-l---f', words)
      m.expect(words$(ALICE), '2024ms ^ 50ms !').toBeObservable('2024ms l-----s----g', words)
    })()
  })
})

describe('a ledger', () => {
  it.each([
    [{ mempoolInterval: -5 }, '"mempoolInterval" is -5: give a number from 0'],
    [{ mempoolInterval: NaN }, '"mempoolInterval" is NaN: give a number from 0'],
    [{ coinbaseMaturity: -1n }, '"coinbaseMaturity" is -1: give a bigint from 0'],
    [{ coinbaseMaturity: 100 }, '"coinbaseMaturity" is 100: give a bigint from 0'],
  ])('is not made with %o', (options: object, message) => {
    const { utxos, link } = createLedgers(asyncScheduler)
    expect(() => utxos.ledger([ALICE], options)).toThrow(message)
    link.dispose()
  })
})

describe('the promise of a ledger', () => {
  it('to have read everything anew is kept, also where the node has answered within a frame', async () => {
    const { utxos, node, asked, connect, link } = createLedgers(asyncScheduler)
    node.answer('getUtxosByAddresses', () => of({ entries: [coin(1)] }))
    const ledger = utxos.ledger([ALICE], { mempoolInterval: 0 })
    const listening = ledger.state$.subscribe()
    connect()
    await ledger.settled()
    await ledger.refresh()
    expect(asked('getUtxosByAddresses')).toBe(2)
    listening.unsubscribe()
    link.dispose()
  })

  it.each(['settled', 'refresh'] as const)('%s() counts an address that has only just been added', async (method) => {
    const { utxos, node, connect, link } = createLedgers(asyncScheduler)
    node.answer('getUtxosByAddresses', ({ addresses }) =>
      of({ entries: addresses.map((address) => coin(address === ALICE ? 1 : 2, { address })) }),
    )
    const addresses$ = new BehaviorSubject([ALICE])
    const ledger = utxos.ledger(addresses$, { mempoolInterval: 0 })
    const words: string[] = []
    const listening = ledger.state$.pipe(map(toWords)).subscribe((now) => words.push(now))
    connect()
    await ledger.settled()
    addresses$.next([ALICE, BOB])
    await ledger[method]()
    expect(words.at(-1)).toBe('fresh 300')
    listening.unsubscribe()
    link.dispose()
  })

  it.each(['settled', 'refresh'] as const)('%s() rejects when the engine ends before', async (method) => {
    const { utxos, link } = createLedgers(asyncScheduler)
    const promise = utxos.ledger([ALICE])[method]()
    link.dispose()
    await expect(promise).rejects.toMatchObject({ code: 'disposed' })
  })
})
