import { map, of, takeUntil, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { RpcMempoolEntry } from '../../../src/node/messages/records.js'
import { marbles } from '../../marbles.js'
import { run } from '../link.js'
import { ALICE, BOB, utxo } from './utxo-fixtures.js'
import { createHarness, type TrackerHarness } from './harness.js'

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

const paymentOf = (value: bigint, scriptPublicKeyAddress: string): RpcMempoolEntry => ({
  fee: 1n,
  isOrphan: false,
  transaction: {
    version: 0,
    inputs: [],
    outputs: [
      {
        value,
        scriptPublicKey: utxo(1).scriptPublicKey,
        verboseData: { scriptPublicKeyType: 'PubKey', scriptPublicKeyAddress },
      },
    ],
    lockTime: 0n,
    subnetworkId: '00'.repeat(20),
    gas: 0n,
    payload: '',
    mass: 0n,
    verboseData: {
      transactionId: utxo(77, { address: scriptPublicKeyAddress }).outpoint.transactionId,
      hash: '00'.repeat(32),
      computeMass: 0n,
      blockHash: '00'.repeat(32),
      blockTime: 0n,
    },
  },
})

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
    'is off at interval 0, also when another tracker polls the address',
    marbles((m) => {
      const harness = createMempoolHarness(m)
      const { utxos, connect } = harness
      run(m.hot('c'), { c: connect })
      const pending = (mempoolInterval: number) =>
        utxos.tracker([ALICE], { mempoolInterval }).state$.pipe(map(({ balance }) => String(balance.pending)))
      m.expect(pending(0), '^ 20ms !').toBeObservable('0-0---0')
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
