import { describe, expect, it } from 'vitest'
import { createLedger } from '../../src/devnode/ledger/ledger.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { serializePayment, type SerializablePayment } from '../../src/model/serialized-payment.js'
import { toTransaction, type SerializedTransaction } from '../../src/model/serialized-transaction.js'
import type { RestoreOptions } from '../../src/operations/transactions/records.js'
import { createTransactions } from '../../src/operations/transactions/transactions.js'
import { light } from '../../src/sdk/light/light.js'
import { small } from '../operations/transactions/accepting-node.js'
import { KAS, alice, bob, carol, utxo } from '../operations/transactions/accounts.js'
import { ledgerResponders, queryLedger } from '../operations/transactions/ledger-dependencies.js'
import { createScriptedDependencies } from '../operations/transactions/scripted-dependencies.js'
import { ENCODINGS, startWireNode } from '../wire-node.js'

const sdk = await light.loadPort()

/** A stored payment that somebody has changed, with a checksum that fits. */
function forge(
  stored: SerializedTransaction,
  change: (payment: SerializablePayment) => Partial<SerializablePayment>,
): SerializedTransaction {
  const payment: SerializablePayment = {
    network: 'simnet',
    transaction: toTransaction(stored),
    spent: (stored.restore?.spent ?? []).map(({ amount, scriptPublicKey }) => ({
      amount: BigInt(amount),
      scriptPublicKey,
    })),
    replaces: undefined,
    lookupStart: undefined,
    change: undefined,
  }
  return serializePayment({ ...payment, ...change(payment) })
}

/** The payment of 10 KAS to Bob from 30 KAS, stored without signatures. */
async function storedUnsigned(): Promise<SerializedTransaction> {
  const { transactions } = await createTransactions(createScriptedDependencies(sdk)).create(small)
  return transactions[0]?.serialize() ?? never()
}

async function storedSigned(): Promise<SerializedTransaction> {
  const { transactions } = await createTransactions(createScriptedDependencies(sdk)).create(small)
  transactions[0]?.sign(small.privateKeys)
  return transactions[0]?.serialize() ?? never()
}

/** What restoring does: the reserved outpoints, and the error, if it rejects. */
async function restore(stored: SerializedTransaction, options?: RestoreOptions) {
  const deps = createScriptedDependencies(sdk)
  const restored = createTransactions(deps).restore(stored, options)
  const error = await restored.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  return { error, reserved: deps.reserved.size }
}

describe('S5 a stored payment without signatures that was changed, with a checksum that fits', () => {
  it('pays no other recipient where its outputs are named', async () => {
    const stored = await storedUnsigned()
    const [paid = never(), change = never()] = stored.outputs
    const outputs = [
      { address: bob.address, amount: BigInt(paid.value) },
      { address: alice.address, amount: BigInt(change.value) },
    ]
    const stolen = forge(stored, ({ transaction }) => ({
      transaction: {
        ...transaction,
        outputs: transaction.outputs.map((output, at) =>
          at === 0 ? { ...output, scriptPublicKey: toScriptPublicKey(carol.address) } : output,
        ),
      },
    }))
    expect(await restore(stored, { outputs })).toEqual({ error: undefined, reserved: 0 })
    for (const options of [{ outputs }, { outputs, reserve: true }]) {
      expect(await restore(stolen, options)).toEqual({
        error: expect.objectContaining({
          code: 'invalid-argument',
          argument: 'outputs',
          message: 'The serialized payment has other outputs',
        }),
        reserved: 0,
      })
    }
    const others = [outputs.slice(0, 1), [...outputs].reverse(), [...outputs, ...outputs]]
    for (const other of others) expect((await restore(stored, { outputs: other })).error).toBeDefined()
    expect((await restore(await storedSigned(), { outputs: outputs.slice(0, 1) })).error).toBeDefined()
  })

  it('pays no fee above the bound', async () => {
    const stored = await storedUnsigned()
    const expensive = forge(stored, ({ transaction }) => ({
      transaction: { ...transaction, outputs: transaction.outputs.slice(0, 1) },
    }))
    const tooHigh = expect.objectContaining({ code: 'fee-too-high', fee: 20n * KAS, maxFee: KAS })
    expect(await restore(expensive)).toEqual({ error: tooHigh, reserved: 0 })
    expect((await restore(expensive, { maxFee: 20n * KAS })).error).toBeUndefined()
    expect((await restore(stored, { maxFee: 1n })).error).toMatchObject({ code: 'fee-too-high', maxFee: 1n })
    const signed = await storedSigned()
    expect((await restore(signed, { maxFee: 1n })).error).toBeUndefined() // it has been approved
  })

  it('reserves its inputs only with the option', async () => {
    const stored = await storedUnsigned()
    expect([
      await restore(stored),
      await restore(stored, { reserve: true }),
      await restore(await storedSigned()),
    ]).toEqual([
      { error: undefined, reserved: 0 },
      { error: undefined, reserved: 1 },
      { error: undefined, reserved: 1 },
    ])
  })

  it.each([
    ['maxfee', { maxfee: 1n }],
    ['reserve', { reserve: 'false' }],
    ['maxFee', { maxFee: 1 }],
    ['outputs', { outputs: [] }],
  ])('is refused with an option that is wrong: %s', async (argument, options) => {
    const { error, reserved } = await restore(await storedUnsigned(), options as RestoreOptions)
    expect(error).toMatchObject({ code: 'invalid-argument', argument })
    expect(reserved).toBe(0)
  })

  it('may be restored by map(), which passes positions', async () => {
    const { restore: each } = createTransactions(createScriptedDependencies(sdk))
    const stored = [await storedUnsigned(), await storedSigned()]
    await expect(Promise.all(stored.map((payment, at) => each(payment, at as never)))).resolves.toHaveLength(2)
  })
})

describe.each(ENCODINGS)('S5 a signed payment of a stranger, %s', (encoding) => {
  it.each([
    ['with the script of the stranger', { address: carol.address }, [carol.privateKey]],
    ['with another amount', { amount: 29n * KAS }, [alice.privateKey]],
  ])('reserves no UTXO %s', async (_, other, privateKeys) => {
    const ledger = createLedger({ genesisUtxos: [{ address: alice.address, amount: 30n * KAS }] })
    const { entries } = queryLedger(ledger, 'getUtxosByAddresses', { addresses: [alice.address] })
    const [mine = never()] = entries
    const node = await startWireNode(encoding, ledgerResponders(ledger))
    const engine = createChainEngine({ network: 'simnet', url: node.url(), encoding, sdk: light })
    try {
      await engine.connection.connect()
      const strange = { ...utxo(30n * KAS, 0, other), outpoint: mine.outpoint }
      const { create } = createTransactions(createScriptedDependencies(sdk))
      const { transactions } = await create({ ...small, entries: [strange] })
      transactions[0]?.sign(privateKeys)
      const states: bigint[] = []
      const tracker = engine.utxos([alice.address], { mempoolInterval: 0 })
      tracker.state$.subscribe(({ balance }) => states.push(balance.mature))
      await tracker.ready()
      await engine.transactions.restore(transactions[0]?.serialize() ?? never())
      await expect(engine.transactions.create({ ...small, entries })).resolves.toMatchObject({
        summary: { transactions: 1 },
      })
      expect(states.at(-1)).toBe(30n * KAS)

      const own = await create({ ...small, entries })
      own.transactions[0]?.sign(small.privateKeys)
      await engine.transactions.restore(own.transactions[0]?.serialize() ?? never())
      await expect(engine.transactions.create({ ...small, entries })).rejects.toMatchObject({
        code: 'insufficient-funds',
        reserved: 30n * KAS,
      })
      await expect.poll(() => states.at(-1)).toBe(0n)

      await engine.transactions.restore(transactions[0]?.serialize() ?? never())
      await expect(engine.transactions.create({ ...small, entries })).rejects.toMatchObject({ reserved: 30n * KAS })
    } finally {
      await engine.dispose()
      await node.close()
    }
  })
})

function never(): never {
  throw new Error('A payment has it')
}
