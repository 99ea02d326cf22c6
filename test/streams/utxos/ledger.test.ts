import { NEVER, map, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { marbles } from '../../marbles.js'
import { run } from '../link.js'
import { ALICE, coin } from './coins.js'
import { createScene, toWords } from './scene.js'

describe('a ledger', () => {
  it(
    'is loading until its snapshot is in, and loses nothing that is told meanwhile',
    marbles((m) => {
      const { utxos, tell, connect } = createScene(m, [coin(1)])
      const words$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      run(m.hot('c-t'), { c: connect, t: () => tell([], [coin(2)]) })
      m.expect(words$, '^ 20ms !').toBeObservable('u-l---f', { u: 'unknown 0', l: 'loading 0', f: 'fresh 300' })
    }),
  )

  it(
    'shows a burst of changes once a frame',
    marbles((m) => {
      const { utxos, tell, connect } = createScene(m, [coin(1)])
      const words$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      const burst = (): void => [2, 3, 4].forEach((n) => tell([], [coin(n)]))
      run(m.hot('c 9ms b'), { c: connect, b: burst })
      m.expect(words$, '^ 20ms !').toBeObservable('u-l---f-----g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        g: 'fresh 1000',
      })
    }),
  )

  it(
    'keeps what it knew while the connection is lost, says that it is stale, and is made whole afterwards',
    marbles((m) => {
      const { utxos, node, connect } = createScene(m, [coin(1)])
      const words$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      const lose = (): void => {
        node.answer('getUtxosByAddresses', () => of({ entries: [coin(2)] }))
        node.drop()
      }
      run(m.hot('c 9ms x'), { c: connect, x: lose })
      m.expect(words$, '^ 30ms !').toBeObservable('u-l---f-----s----g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        s: 'stale 100',
        g: 'fresh 200',
      })
    }),
  )

  it(
    'lets mining rewards ripen with the DAA score, without asking again',
    marbles((m) => {
      const { utxos, node, connect } = createScene(m, [coin(5, { isCoinbase: true, blockDaaScore: 10n })])
      const ledger = utxos.ledger([ALICE], { mempoolInterval: 0, coinbaseMaturity: 100n })
      const worth$ = ledger.state$.pipe(map(({ balance }) => `${balance.mature} and ${balance.pending}`))
      const ripen = (): void => node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: 110n } })
      run(m.hot('c 9ms r'), { c: connect, r: ripen })
      m.expect(worth$, '^ 20ms !').toBeObservable('a-a---p-----m', { a: '0 and 0', p: '0 and 500', m: '500 and 0' })
      m.flush()
      expect(node.calls.filter(({ method }) => method === 'getUtxosByAddresses')).toHaveLength(1)
    }),
  )

  it(
    'offers no coin that a covenant binds or a payment has taken, and offers the taken one again after a minute',
    marbles((m) => {
      const { utxos, reservations, connect } = createScene(m, [coin(1), coin(2), coin(3, { covenantId: 'ab' })])
      const ledger = utxos.ledger([ALICE], { mempoolInterval: 0 })
      const offered$ = ledger.state$.pipe(map(({ matureEntries }) => matureEntries.map(({ amount }) => amount).join()))
      const give = { back: (): void => undefined }
      const deeds = {
        c: connect,
        r: () => (give.back = reservations.reserve([coin(1).outpoint])),
        g: () => give.back(),
      }
      run(m.hot('c 9ms r 9ms g'), deeds)
      m.expect(offered$, '^ 40ms !').toBeObservable('n-n---b-----o---------b', { n: '', b: '100,200', o: '200' })
    }),
  )

  it(
    'asks the node once for an address that two listeners track, and drops it a second after the last has left',
    marbles((m) => {
      const { utxos, node, connect } = createScene(m, [coin(1)])
      const [one, other] = [utxos.ledger([ALICE]).state$, utxos.ledger([ALICE]).state$]
      run(m.hot('c'), { c: connect })
      m.expect(one.pipe(map(({ freshness }) => freshness.charAt(0))), '^ 20ms !').toBeObservable('u-l---f')
      m.expect(other.pipe(map(({ freshness }) => freshness.charAt(0))), '^ 20ms !').toBeObservable('u-l---f')
      m.flush()
      expect(node.calls.filter(({ method }) => method === 'getUtxosByAddresses')).toHaveLength(1)
      expect(node.calls.filter(({ method }) => method === 'unsubscribe').length).toBeGreaterThan(0)
    }),
  )

  it(
    'says why it knows nothing where the node refuses to tell, and leaves other ledgers alone',
    marbles((m) => {
      const { utxos, node, connect } = createScene(m, [])
      const refusal = new ChainRpcError('getUtxosByAddresses', new Error('no index'), { code: 'remote' })
      node.answer('getUtxosByAddresses', () => throwError(() => refusal))
      const why$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(({ reason }) => reason))
      run(m.hot('c'), { c: connect })
      m.expect(why$, '^ 20ms !').toBeObservable('d-f', { d: 'disconnected', f: 'fetch-failed' })
    }),
  )

  it(
    'refuses an address of another network before anything is sent',
    marbles((m) => {
      const { utxos, node, connect } = createScene(m, [])
      const foreign = 'kaspa:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszu8g5qjdh'
      const error$ = utxos.ledger([foreign]).state$.pipe(map(({ error }) => error?.argument))
      run(m.hot('c'), { c: connect })
      m.expect(error$, '^!').toBeObservable('a', { a: 'addresses' })
      m.flush()
      expect(node.calls.filter(({ method }) => method === 'getUtxosByAddresses')).toEqual([])
    }),
  )

  it(
    'reads everything again when the pruning point overrides the set',
    marbles((m) => {
      const { utxos, node, connect } = createScene(m, [coin(1)])
      const words$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      const override = (): void => {
        node.answer('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries: [coin(7)] } }))
        node.notify({ type: 'pruning-point-utxo-set-override', data: {} })
      }
      run(m.hot('c 9ms o'), { c: connect, o: override })
      m.expect(words$, '^ 30ms !').toBeObservable('u-l---f-----s---g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        s: 'stale 100',
        g: 'fresh 700',
      })
    }),
  )

  it(
    'and once more after the next thing told: the override may have overtaken it',
    marbles((m) => {
      const { utxos, node, tell, connect } = createScene(m, [coin(1)])
      const words$ = utxos.ledger([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toWords))
      const override = (): void => {
        node.answer('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries: [coin(7)] } }))
        node.notify({ type: 'pruning-point-utxo-set-override', data: {} })
      }
      run(m.hot('c 9ms o-------t'), { c: connect, o: override, t: () => tell([], [coin(2)]) })
      m.expect(words$, '^ 300ms !').toBeObservable('u-l---f-----s---g---w 249ms v---g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        s: 'stale 100',
        g: 'fresh 700',
        w: 'fresh 900',
        v: 'stale 900',
      })
    }),
  )

  it(
    'completes with the engine, and never errors where its addresses do',
    marbles((m) => {
      const { utxos, link } = createScene(m, [])
      const broken$ = utxos
        .ledger(throwError(() => new Error('no addresses')))
        .state$.pipe(map(({ error }) => error?.code))
      const idle$ = utxos.ledger(NEVER).state$.pipe(map(({ reason }) => reason))
      run(m.hot('---z'), { z: () => link.dispose() })
      m.expect(broken$).toBeObservable('e--|', { e: 'failed' })
      m.expect(idle$).toBeObservable('i--|', { i: 'idle' })
    }),
  )
})
