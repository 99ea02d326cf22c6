import { map, of, takeUntil, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { RpcMempoolEntry } from '../../../src/node/messages/records.js'
import { marbles } from '../../marbles.js'
import { run } from '../link.js'
import { ALICE, BOB, coin } from './coins.js'
import { createScene, type LedgerScene } from './scene.js'

const LOOK = 'getMempoolEntriesByAddresses'

type Context = Parameters<Parameters<typeof marbles>[0]>[0]

/** A scene whose mempool holds a payment of 5 to whoever asks; the answer comes after so many ms. */
function createMempoolScene(m: Context, answerAfter = 0): LedgerScene {
  const scene = createScene(m, [])
  scene.node.answer(LOOK, ({ addresses }) =>
    timer(answerAfter, m.scheduler).pipe(
      map(() => ({
        entries: addresses.map((address) => ({ address, sending: [], receiving: [paymentOf(5n, address)] })),
      })),
    ),
  )
  return scene
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
        scriptPublicKey: coin(1).scriptPublicKey,
        verboseData: { scriptPublicKeyType: 'PubKey', scriptPublicKeyAddress },
      },
    ],
    lockTime: 0n,
    subnetworkId: '00'.repeat(20),
    gas: 0n,
    payload: '',
    mass: 0n,
    verboseData: {
      transactionId: coin(77, { address: scriptPublicKeyAddress }).outpoint.transactionId,
      hash: '00'.repeat(32),
      computeMass: 0n,
      blockHash: '00'.repeat(32),
      blockTime: 0n,
    },
  },
})

/** Listens to ledgers of some addresses, each with a patience of its own, for `span` ms. */
function listen(m: Context, { utxos }: LedgerScene, span: number, patience: readonly [string, number][]): void {
  for (const [address, mempoolInterval] of patience) {
    utxos
      .ledger([address], { mempoolInterval })
      .state$.pipe(takeUntil(timer(span, m.scheduler)))
      .subscribe()
  }
}

describe('a look into the mempool', () => {
  it(
    'is shared by all who wait as long: one question every ten seconds, for all addresses, each once',
    marbles((m) => {
      const scene = createMempoolScene(m)
      listen(m, scene, 25_000, [[ALICE, 10_000], [ALICE, 10_000], [BOB, 10_000]]) // prettier-ignore
      run(m.hot('c'), { c: scene.connect })
      m.flush()
      const asked = scene.node.calls.filter(({ method }) => method === LOOK).map(({ request }) => request)
      expect(asked).toHaveLength(3)
      expect(asked[1]).toMatchObject({ addresses: [ALICE, BOB] })
    }),
  )

  it(
    'comes as often as the most impatient of those who show an address wants',
    marbles((m) => {
      const scene = createMempoolScene(m)
      listen(m, scene, 9_000, [[ALICE, 60_000], [ALICE, 4_000]]) // prettier-ignore
      run(m.hot('c'), { c: scene.connect })
      m.flush()
      expect(scene.asked(LOOK)).toBe(3)
    }),
  )

  it(
    'never comes for who wants none, and what others see there is not counted for them',
    marbles((m) => {
      const scene = createMempoolScene(m)
      const { utxos, connect } = scene
      run(m.hot('c'), { c: connect })
      const pending = (mempoolInterval: number) =>
        utxos.ledger([ALICE], { mempoolInterval }).state$.pipe(map(({ balance }) => String(balance.pending)))
      m.expect(pending(0), '^ 20ms !').toBeObservable('0-0---0')
      m.expect(pending(10_000), '^ 20ms !').toBeObservable('0-5---5')
    }),
  )

  it(
    'follows each own payment, and each `refresh`',
    marbles((m) => {
      const scene = createMempoolScene(m)
      const { link, node, utxos, connect } = scene
      node.answer('submitTransaction', () => of({ transactionId: '00'.repeat(32) }))
      listen(m, scene, 5_000, [[ALICE, 10_000]])
      const transaction = paymentOf(1n, ALICE).transaction
      const deeds = {
        c: connect,
        p: () => link.call('submitTransaction', { transaction, allowOrphan: false }).subscribe(),
        r: () => void utxos.ledger([ALICE]).refresh(),
      }
      run(m.hot('c----p---------r'), deeds)
      m.flush()
      expect(scene.asked(LOOK)).toBe(3)
    }),
  )

  it(
    'waits for the answer to the one before, however slow the node: what is wanted meanwhile is one more',
    marbles((m) => {
      const scene = createMempoolScene(m, 900)
      listen(m, scene, 850, [[ALICE, 100]]) // wanted again at 100, 200 … 800, while the first look is under way
      run(m.hot('c'), { c: scene.connect })
      m.flush()
      expect(scene.asked(LOOK)).toBe(2)
    }),
  )
})
