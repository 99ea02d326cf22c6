import { map, of, takeUntil, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { RpcMempoolEntry } from '../../../../src/node/messages/records.js'
import { marbles } from '../../../marbles.js'
import { run } from '../../link.js'
import { toMempoolEntry } from '../unconfirmed/balance-harness.js'
import { ALICE, BOB, payment, utxo } from '../utxo-fixtures.js'
import { createHarness, type TrackerHarness } from '../harness.js'

const METHOD = 'getMempoolEntriesByAddresses'

type Context = Parameters<Parameters<typeof marbles>[0]>[0]

/** A mempool that contains a payment of 5 to every address; responds after `responseDelay` ms. */
function createMempoolHarness(m: Context, responseDelay = 0): TrackerHarness {
  const harness = createHarness(m, [])
  harness.node.respond(METHOD, ({ addresses }) =>
    timer(responseDelay, m.scheduler).pipe(
      map(() => ({
        entries: addresses.map((address) => ({ address, sending: [], receiving: [paymentOf(5n, address)] })),
      })),
    ),
  )
  return harness
}

/** A payment of `value` to an address. */
const paymentOf = (value: bigint, address: string): RpcMempoolEntry =>
  toMempoolEntry(payment(address === ALICE ? 77 : 78, { pays: [[address, value]] }))

/** Subscribes to trackers of some addresses, each with its own poll interval, for `span` ms. */
function track(m: Context, { utxos }: TrackerHarness, span: number, intervals: readonly [string, number][]): void {
  for (const [address, mempoolInterval] of intervals) {
    utxos
      .tracker([address], { mempoolInterval })
      .state$.pipe(takeUntil(timer(span, m.scheduler)))
      .subscribe()
  }
}

describe('mempool polling', () => {
  it(
    'shares one request per interval between all trackers, with each address once',
    marbles((m) => {
      const harness = createMempoolHarness(m)
      track(m, harness, 25_000, [[ALICE, 10_000], [ALICE, 10_000], [BOB, 10_000]]) // prettier-ignore
      run(m.hot('c'), { c: harness.connect })
      m.flush()
      const requests = harness.node.calls.filter(({ method }) => method === METHOD).map(({ request }) => request)
      expect(requests).toHaveLength(3)
      expect(requests[1]).toMatchObject({ addresses: [ALICE, BOB] })
    }),
  )

  it(
    'precedes the fetch of the UTXOs, after each connect and each `refresh`',
    marbles((m) => {
      const harness = createMempoolHarness(m)
      track(m, harness, 300, [[ALICE, 10_000]])
      const actions = {
        c: harness.connect,
        d: () => harness.node.drop(),
        r: () => void harness.utxos.tracker([ALICE]).refresh(),
      }
      run(m.hot('c 50ms d 50ms r'), actions)
      m.flush()
      const reads = harness.node.calls.map(({ method }) => method).filter((method) => method.endsWith('ByAddresses'))
      expect(reads).toEqual(Array(3).fill([METHOD, 'getUtxosByAddresses']).flat())
    }),
  )

  it(
    'runs after a change of the UTXOs, at most once a second',
    marbles((m) => {
      const harness = createMempoolHarness(m)
      track(m, harness, 5_000, [[ALICE, 10_000]])
      let n = 1
      const notify = (): void => harness.notifyChange([], [utxo(n++)])
      run(m.hot('c 99ms n 9ms n 9ms n 9ms n 3s n'), { c: harness.connect, n: notify })
      const counts = [50, 120, 1_080, 1_150, 3_100, 3_200]
      const received: number[] = []
      for (const at of counts) m.scheduler.schedule(() => received.push(harness.callCount(METHOD)), at)
      m.flush()
      expect(received).toEqual([1, 2, 2, 3, 3, 4])
    }),
  )

  it(
    'runs again two chain blocks after a transaction has left the mempool, and then ends it',
    marbles((m) => {
      const harness = createMempoolHarness(m)
      const { node, utxos, connect } = harness
      node.respond('getSinkBlueScore', () => of({ blueScore: 1n }))
      const states$ = utxos.tracker([ALICE], { mempoolInterval: 100 }).state$
      const leave = (): void =>
        node.respond(METHOD, ({ addresses }) =>
          of({ entries: addresses.map((address) => ({ address, sending: [], receiving: [] })) }),
        )
      const addBlock = (sinkBlueScore: bigint) => (): void =>
        node.notify({ type: 'sink-blue-score-changed', data: { sinkBlueScore } })
      run(m.hot('c 19ms l 199ms 1 199ms 2'), { c: connect, l: leave, 1: addBlock(2n), 2: addBlock(3n) })
      m.expect(states$.pipe(map(({ balance }) => String(balance.pending))), '^ 999ms !').toBeObservable(
        '0-5---5 415ms 0',
      )
      m.flush()
    }),
  )

  it(
    'uses the shortest interval of the trackers of an address',
    marbles((m) => {
      const harness = createMempoolHarness(m)
      track(m, harness, 9_000, [[ALICE, 60_000], [ALICE, 4_000]]) // prettier-ignore
      run(m.hot('c'), { c: harness.connect })
      m.flush()
      expect(harness.callCount(METHOD)).toBe(3)
    }),
  )

  it(
    'causes no reads at interval 0, but counts what other trackers of the address read',
    marbles((m) => {
      const harness = createMempoolHarness(m)
      const { utxos, connect } = harness
      run(m.hot('c'), { c: connect })
      const pending = (mempoolInterval: number) =>
        utxos.tracker([ALICE], { mempoolInterval }).state$.pipe(map(({ balance }) => String(balance.pending)))
      m.expect(pending(0), '^ 20ms !').toBeObservable('0-5---5')
      m.expect(pending(10_000), '^ 20ms !').toBeObservable('0-5---5')
    }),
  )

  it(
    'runs after each own payment and each `refresh`',
    marbles((m) => {
      const harness = createMempoolHarness(m)
      const { link, node, utxos, connect } = harness
      node.respond('submitTransaction', () => of({ transactionId: '00'.repeat(32) }))
      track(m, harness, 5_000, [[ALICE, 10_000]])
      const transaction = paymentOf(1n, ALICE).transaction
      const actions = {
        c: connect,
        p: () => link.call('submitTransaction', { transaction, allowOrphan: false }).subscribe(),
        r: () => void utxos.tracker([ALICE]).refresh(),
      }
      run(m.hot('c----p---------r'), actions)
      m.flush()
      expect(harness.callCount(METHOD)).toBe(3)
    }),
  )

  it(
    'has one request in flight, and merges the polls due meanwhile into one',
    marbles((m) => {
      const harness = createMempoolHarness(m, 900)
      track(m, harness, 850, [[ALICE, 100]]) // due again at 100, 200 … 800, while the first request is in flight
      run(m.hot('c'), { c: harness.connect })
      m.flush()
      expect(harness.callCount(METHOD)).toBe(2)
    }),
  )
})
