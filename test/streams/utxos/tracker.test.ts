import { NEVER, defer, filter, interval, map, of, take, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { marbles } from '../../marbles.js'
import { run } from '../link.js'
import { ALICE, BOB, utxo, payment } from './utxo-fixtures.js'
import { createHarness, createTrackers, toText } from './harness.js'

describe('a UTXO tracker', () => {
  it(
    'is loading until its snapshot is loaded, and applies notifications received meanwhile',
    marbles((m) => {
      const { utxos, notifyChange, connect } = createHarness(m, [utxo(1)])
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toText))
      run(m.hot('c-t'), { c: connect, t: () => notifyChange([], [utxo(2)]) })
      m.expect(states$, '^ 20ms !').toBeObservable('u-l---f', { u: 'unknown 0', l: 'loading 0', f: 'fresh 300' })
    }),
  )

  it(
    'emits a burst of changes once per frame',
    marbles((m) => {
      const { utxos, notifyChange, connect } = createHarness(m, [utxo(1)])
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toText))
      const burst = (): void => [2, 3, 4].forEach((n) => notifyChange([], [utxo(n)]))
      run(m.hot('c 9ms b'), { c: connect, b: burst })
      m.expect(states$, '^ 20ms !').toBeObservable('u-l---f-----g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        g: 'fresh 1000',
      })
    }),
  )

  it(
    'stays stale while the connection is down, and catches up after a reconnect',
    marbles((m) => {
      const { utxos, node, connect } = createHarness(m, [utxo(1)])
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toText))
      const reconnect = (): void => {
        node.respond('getUtxosByAddresses', () => of({ entries: [utxo(2)] }))
        node.drop()
      }
      run(m.hot('c 9ms x'), { c: connect, x: reconnect })
      m.expect(states$, '^ 30ms !').toBeObservable('u-l---f-----s----g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        s: 'stale 100',
        g: 'fresh 200',
      })
    }),
  )

  it(
    'moves coinbase to mature with the DAA score, without another request',
    marbles((m) => {
      const { utxos, node, connect } = createHarness(m, [utxo(5, { isCoinbase: true, blockDaaScore: 10n })])
      const tracker = utxos.tracker([ALICE], { mempoolInterval: 0, coinbaseMaturity: 100n })
      const balances$ = tracker.state$.pipe(map(({ balance }) => `${balance.mature} and ${balance.pending}`))
      const advance = (): void => node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: 110n } })
      run(m.hot('c 9ms r'), { c: connect, r: advance })
      m.expect(balances$, '^ 20ms !').toBeObservable('a-a---p-----m', { a: '0 and 0', p: '0 and 500', m: '500 and 0' })
      m.flush()
      expect(node.calls.filter(({ method }) => method === 'getUtxosByAddresses')).toHaveLength(1)
    }),
  )

  it(
    'excludes UTXOs with a covenant and reserved ones from matureEntries, until the reservation is released',
    marbles((m) => {
      const { utxos, unconfirmed, connect } = createHarness(m, [utxo(1), utxo(2), utxo(3, { covenantId: 'ab' })])
      const tracker = utxos.tracker([ALICE], { mempoolInterval: 0 })
      const spendable$ = tracker.state$.pipe(
        map(({ matureEntries }) => matureEntries.map(({ amount }) => amount).join()),
      )
      const reservation = { release: (): void => undefined }
      const actions = {
        c: connect,
        r: () => (reservation.release = unconfirmed.reserve(payment(70, { spends: [utxo(1)] }))),
        g: () => reservation.release(),
      }
      run(m.hot('c 9ms r 9ms g'), actions)
      m.expect(spendable$, '^ 40ms !').toBeObservable('n-n---b-----o---------b', { n: '', b: '100,200', o: '200' })
    }),
  )

  it(
    'shares the subscription and the snapshot of an address, and unsubscribes a second after the last tracker',
    marbles((m) => {
      const { utxos, node, connect } = createHarness(m, [utxo(1)])
      const [one, other] = [utxos.tracker([ALICE]).state$, utxos.tracker([ALICE]).state$]
      run(m.hot('c'), { c: connect })
      m.expect(one.pipe(map(({ freshness }) => freshness.charAt(0))), '^ 20ms !').toBeObservable('u-l---f')
      m.expect(other.pipe(map(({ freshness }) => freshness.charAt(0))), '^ 20ms !').toBeObservable('u-l---f')
      m.flush()
      expect(node.calls.filter(({ method }) => method === 'getUtxosByAddresses')).toHaveLength(1)
      expect(node.calls.filter(({ method }) => method === 'unsubscribe').length).toBeGreaterThan(0)
    }),
  )

  it(
    'reports the reason where the node refuses the request',
    marbles((m) => {
      const { utxos, node, connect } = createHarness(m, [])
      const refusal = new ChainRpcError('getUtxosByAddresses', new Error('no index'), { code: 'remote' })
      node.respond('getUtxosByAddresses', () => throwError(() => refusal))
      const reasons$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(({ reason }) => reason))
      run(m.hot('c'), { c: connect })
      m.expect(reasons$, '^ 20ms !').toBeObservable('d-f', { d: 'disconnected', f: 'fetch-failed' })
    }),
  )

  it(
    'fetches a snapshot again whose response is lost, after ten seconds of notifications',
    marbles((m) => {
      const { utxos, node, connect } = createTrackers(m.scheduler, { requestTimeout: 60_000 })
      const responses = [NEVER, of({ entries: [utxo(1)] })]
      node.respond('getUtxosByAddresses', () => responses.shift() ?? NEVER)
      const fresh$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(
        filter(({ freshness }) => freshness === 'fresh'),
        map(toText),
        take(1),
      )
      run(m.hot('c'), { c: connect })
      interval(100, m.scheduler)
        .pipe(take(200))
        .subscribe((score) =>
          node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: BigInt(score) } }),
        )
      m.expect(fresh$, '^ 29s !').toBeObservable('11092ms (f|)', { f: 'fresh 100' })
    }),
  )

  it(
    'refuses an address of another network before any request',
    marbles((m) => {
      const { utxos, node, connect } = createHarness(m, [])
      const foreign = 'kaspa:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszu8g5qjdh'
      const error$ = utxos.tracker([foreign]).state$.pipe(map(({ error }) => error?.argument))
      run(m.hot('c'), { c: connect })
      m.expect(error$, '^!').toBeObservable('a', { a: 'addresses' })
      m.flush()
      expect(node.calls.filter(({ method }) => method === 'getUtxosByAddresses')).toEqual([])
    }),
  )

  it(
    'fetches everything again after a pruning point override',
    marbles((m) => {
      const { utxos, node, connect } = createHarness(m, [utxo(1)])
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toText))
      const override = (): void => {
        node.respond('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries: [utxo(7)] } }))
        node.notify({ type: 'pruning-point-utxo-set-override', data: {} })
      }
      run(m.hot('c 9ms o'), { c: connect, o: override })
      m.expect(states$, '^ 30ms !').toBeObservable('u-l---f-----s---g', {
        u: 'unknown 0',
        l: 'loading 0',
        f: 'fresh 100',
        s: 'stale 100',
        g: 'fresh 700',
      })
    }),
  )

  it(
    'fetches once more after the next notification, which may be older than the override',
    marbles((m) => {
      const { utxos, node, notifyChange, connect } = createHarness(m, [utxo(1)])
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.pipe(map(toText))
      const override = (): void => {
        node.respond('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries: [utxo(7)] } }))
        node.notify({ type: 'pruning-point-utxo-set-override', data: {} })
      }
      run(m.hot('c 9ms o-------t'), { c: connect, o: override, t: () => notifyChange([], [utxo(2)]) })
      m.expect(states$, '^ 300ms !').toBeObservable('u-l---f-----s---g---w 249ms v---g', {
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
    'completes with the engine, and does not error with its addresses',
    marbles((m) => {
      const { utxos, link } = createHarness(m, [])
      const broken$ = utxos
        .tracker(throwError(() => new Error('no addresses')))
        .state$.pipe(map(({ error }) => error?.code))
      const idle$ = utxos.tracker(NEVER).state$.pipe(map(({ reason }) => reason))
      run(m.hot('---z'), { z: () => link.dispose() })
      m.expect(broken$).toBeObservable('e--|', { e: 'failed' })
      m.expect(idle$).toBeObservable('i--|', { i: 'idle' })
    }),
  )

  it(
    'requests fewer addresses after a response above maxFrameSize, and shows the error of one that is too long alone',
    marbles((m) => {
      const { utxos, node, connect } = createTrackers(m.scheduler)
      const options = { argument: 'maxFrameSize', code: 'connection-lost' } as const
      node.respond('getUtxosByAddresses', ({ addresses }, socket) =>
        defer(() => {
          if (!addresses.includes(BOB)) return of({ entries: [utxo(1)] })
          m.scheduler.schedule(() => socket.drop())
          return throwError(() => new ChainRpcError('getUtxosByAddresses', undefined, options))
        }),
      )
      const states: string[] = []
      const [both, alice] = [utxos.tracker([ALICE, BOB], { mempoolInterval: 0 }), utxos.tracker([ALICE])]
      both.state$.subscribe(({ freshness, error }) => states.push(`${freshness} ${error?.argument}`))
      const fresh: string[] = []
      alice.state$.subscribe((state) => fresh.push(toText(state)))
      run(m.hot('c'), { c: connect })
      m.flush()
      const requests = node.calls
        .filter(({ method }) => method === 'getUtxosByAddresses')
        .map(({ request }) => (request as { readonly addresses: readonly string[] }).addresses)
      expect(requests.filter((addresses) => addresses.includes(BOB))).toEqual([[ALICE, BOB], [BOB], [BOB], [BOB]])
      expect(states).toContain('unknown maxFrameSize')
      expect(fresh).toContain('fresh 100')
    }),
  )

  it(
    'is not fetched without end from a node that goes on sending malformed messages, and shows the error',
    marbles((m) => {
      const { utxos, node, connect, callCount } = createHarness(m, [utxo(1)])
      const tracker = utxos.tracker([ALICE], { mempoolInterval: 0 })
      const states: string[] = []
      tracker.state$.subscribe(({ freshness, error }) => states.push(`${freshness} ${error?.code}`))
      run(m.hot('c'), { c: connect })
      timer(100, 3, m.scheduler)
        .pipe(take(3_000)) // 9 s
        .subscribe(() => node.sockets.forEach((socket) => socket.corrupt('utxos-changed')))
      m.flush()
      expect(callCount('getUtxosByAddresses')).toBeLessThan(20)
      expect(states).toContain('stale malformed')
      expect(states.at(-1)).toBe('fresh undefined') // once they ended
    }),
  )
})
