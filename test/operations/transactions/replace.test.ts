import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { NOW, ask, createLedgerWorld } from './ledger-world.js'
import { KAS, alice, bob, carol } from './people.js'
import { createReplaceScene, waitingEntry, type ReplaceScene } from './replace-scene.js'

let sdk: SdkPort
let scene: ReplaceScene

beforeAll(async () => {
  sdk = await loadSdk()
})

beforeEach(() => {
  scene = createReplaceScene()
})

describe('a payment that takes the place of another', () => {
  it('pays one sompi more for the same, by itself, and all of it from the same coins', async () => {
    const world = createLedgerWorld(scene.ledger, sdk)
    const { send } = createTransactions(world)
    const first = await send(scene.paying(5n * KAS))
    const second = await send(scene.paying(5n * KAS, { replaces: first.summary.finalTransactionId }))
    expect(scene.waiting()).toEqual(new Map([[second.transactionIds[0], first.summary.fees + 1n]]))
    expect(world.replacements).toEqual(new Map([[first.transactionIds[0], second.transactionIds[0]]]))
    expect(world.calls.at(-1)).toBe('submitTransactionReplacement')
  })

  it('pays the rate that is asked for, if that is more', async () => {
    const { send, estimate } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    const { transactionIds } = await send(scene.paying(5n * KAS))
    const settings = scene.paying(5n * KAS, { replaces: transactionIds[0], feeRate: 250 })
    const { fees, mass } = await estimate(settings)
    expect(fees).toBe(250n * mass)
    expect((await send(settings)).summary.fees).toBe(fees)
  })

  it('may pay somebody else, and something else', async () => {
    const { send } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    const { transactionIds } = await send(scene.paying(5n * KAS))
    const outputs = [{ address: carol.address, amount: 6n * KAS }]
    await send(scene.paying(0n, { replaces: transactionIds[0], outputs, payload: 'c0ffee' }))
    scene.ledger.mine({ now: NOW, count: 2 })
    const balance = (address: string) => ask(scene.ledger, 'getBalanceByAddress', { address }).balance
    expect([balance(bob.address), balance(carol.address)]).toEqual([0n, 6n * KAS])
  })

  it('calls the other off where it pays nobody: its coins go back, and no other coin is touched', async () => {
    const { send, create } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    const { transactionIds } = await send(scene.paying(5n * KAS))
    const settings = scene.paying(0n, { replaces: transactionIds[0], outputs: undefined })
    const { transactions } = await create(settings)
    expect(transactions.map((each) => each.serialize().inputs.length)).toEqual([1])
    await send(settings)
    scene.ledger.mine({ now: NOW, count: 2 })
    expect(ask(scene.ledger, 'getBalanceByAddress', { address: bob.address }).balance).toBe(0n)
    expect(ask(scene.ledger, 'getUtxosByAddresses', { addresses: [alice.address] }).entries).toHaveLength(3)
  })

  it('takes further coins where those of the other do not do', async () => {
    const { send, create } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    const { transactionIds } = await send(scene.paying(6n * KAS))
    const [larger] = (await create(scene.paying(8n * KAS, { replaces: transactionIds[0] }))).transactions
    expect(larger?.serialize().inputs).toHaveLength(2)
    const { transactionIds: ids } = await send(scene.paying(8n * KAS, { replaces: transactionIds[0] }))
    expect([...scene.waiting().keys()]).toEqual(ids)
  })

  it('can itself be replaced, time and again', async () => {
    const { send } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    let { transactionIds } = await send(scene.paying(5n * KAS))
    for (let times = 1; times <= 5; times++) {
      const next = await send(scene.paying(5n * KAS, { replaces: transactionIds[0] }))
      expect(next.summary.fees).toBe(203_600n + BigInt(times))
      ;({ transactionIds } = next)
    }
    expect([...scene.waiting().keys()]).toEqual(transactionIds)
  })

  it('outbids a storage mass as well: small change counts for more than its bytes', async () => {
    const { send } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    const first = await send(scene.paying(5n * KAS, { feeRate: 1000 }))
    const tiny = await send(scene.paying(KAS / 25n, { replaces: first.transactionIds[0] }))
    expect(tiny.summary.fees).toBeGreaterThan(1000n * tiny.summary.mass)
    expect([...scene.waiting().keys()]).toEqual(tiny.transactionIds)
  })

  it('knows the coins of one that spends what is in the mempool itself', async () => {
    const { send } = createTransactions(createLedgerWorld(scene.ledger, sdk))
    const first = await send(scene.paying(20n * KAS))
    const received: UtxoEntry = {
      ...(scene.entries[0] ?? never()),
      address: bob.address,
      outpoint: { transactionId: first.transactionIds[0] ?? '', index: 0 },
      amount: 20n * KAS,
      scriptPublicKey:
        ask(scene.ledger, 'getMempoolEntry', waitingEntry(first.transactionIds[0])).mempoolEntry.transaction.outputs[0]
          ?.scriptPublicKey ?? never(),
    }
    const onward = { outputs: [{ address: carol.address, amount: KAS }], changeAddress: bob.address }
    const chained = await send(scene.paying(0n, { ...onward, entries: [received], privateKeys: [bob.privateKey] }))
    const again = { ...onward, entries: [], privateKeys: [bob.privateKey], replaces: chained.transactionIds[0] }
    const second = await send(scene.paying(0n, again))
    expect([...scene.waiting().keys()].sort()).toEqual([...first.transactionIds, ...second.transactionIds].sort())
  })
})

function never(): never {
  throw new Error('there is one')
}
