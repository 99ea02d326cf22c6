import { beforeAll, describe, expect, it } from 'vitest'
import { ChainCryptoError } from '../../../src/errors/crypto-error.js'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { toTransaction } from '../../../src/model/serialized-transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createTransactions, type TransactionOperations } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { countedSdk } from '../../sdk/counted.js'
import { followPlan } from './checked-plan.js'
import { KAS, alice, bob, carol, coin, coins } from './people.js'
import { large, takingNode } from './taking-node.js'
import { signaturesVerify } from './verify.js'
import { createWorld } from './world.js'

let operations: TransactionOperations

beforeAll(async () => {
  operations = createTransactions(createWorld(await loadSdk()))
})

const payment = (entries: readonly UtxoEntry[], more: object = {}) =>
  operations.create({
    entries,
    outputs: [{ address: bob.address, amount: 5n * KAS }],
    changeAddress: alice.address,
    ...more,
  })

/** Signs a plan whole and checks every signature as a node would. */
async function expectSigned(entries: readonly UtxoEntry[], privateKeys: string[], more: object = {}): Promise<void> {
  const plan = await payment(entries, more)
  const seen = followPlan(entries, plan)
  for (const [index, pending] of plan.transactions.entries()) {
    pending.sign(privateKeys)
    const signed = toTransaction(pending.serialize())
    expect(transactionId(signed)).toBe(pending.id)
    expect(signaturesVerify(signed, seen[index]?.spent ?? [])).not.toContain(false)
  }
}

/** The error of what is thrown, to be looked at. */
function thrownBy(attempt: () => unknown): unknown {
  try {
    return attempt()
  } catch (error) {
    return error
  }
}

describe('signing', () => {
  it('signs every input of a payment', () => expectSigned(coins([3n * KAS, 4n * KAS]), [alice.privateKey]))

  it('signs the payload as well, which SDK 0.15.2 by itself leaves out', () =>
    expectSigned(coins([30n * KAS]), [alice.privateKey], { payload: 'c0ffee' }))

  it('signs ECDSA inputs, which no SDK signs', () =>
    expectSigned(coins([30n * KAS], { address: alice.ecdsaAddress }), [alice.privateKey]))

  it('signs for both addresses of a key, and for several keys, in one transaction', () =>
    expectSigned(
      [
        coin(2n * KAS, 0),
        coin(2n * KAS, 1, { address: alice.ecdsaAddress }),
        coin(2n * KAS, 2, { address: carol.address }),
      ],
      [carol.privateKey, alice.privateKey],
    ))

  it('signs what is moved together first, and the move of the moved', () =>
    expectSigned(coins(Array.from({ length: 100 }, () => KAS)), [alice.privateKey], {
      outputs: [{ address: bob.address, amount: 95n * KAS }],
    }))

  it('understands keys in capitals', () => expectSigned(coins([30n * KAS]), [alice.privateKey.toUpperCase()]))

  it('reads each key once for a whole payment, however many transactions it takes', async () => {
    const port = await loadSdk()
    let read = 0
    const counting: SdkPort = { ...port, publicKey: (key) => (read++, port.publicKey(key)) }
    const { world, taken } = takingNode(counting)
    await createTransactions(world).send({ ...large, privateKeys: [carol.privateKey, alice.privateKey] })
    expect([taken.length, read]).toEqual([2, 2])
  })

  it('leaves no WASM object behind, after a hundred plans', async () => {
    const counted = await countedSdk()
    const { create } = createTransactions(createWorld(await loadSdk(() => counted.load())))
    for (let plan = 0; plan < 100; plan++) {
      const { transactions } = await create({ entries: coins([3n * KAS, 4n * KAS]), changeAddress: alice.address })
      for (const transaction of transactions) transaction.sign([bob.privateKey, alice.privateKey])
    }
    expect(counted.made()).toBeGreaterThanOrEqual(300)
    expect(counted.live()).toBe(0)
  })

  it('goes key by key, and knows what is still missing', async () => {
    const plan = await payment([coin(3n * KAS, 0), coin(3n * KAS, 1, { address: carol.address })])
    const [pending] = plan.transactions
    pending?.sign([alice.privateKey])
    const error: unknown = await pending?.submit().catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'key-mismatch', hint: `Sign with the keys of ${carol.address} first.` })
    expect((error as ChainCryptoError).cause).toMatchObject({ message: '1 of 2 inputs are not signed' })
    pending?.sign([carol.privateKey])
    const [seen] = followPlan([coin(3n * KAS, 0), coin(3n * KAS, 1, { address: carol.address })], plan)
    expect(signaturesVerify(toTransaction(pending?.serialize() ?? never()), seen?.spent ?? [])).toEqual([true, true])
  })

  it('names the addresses that it takes keys of, each once', async () => {
    const { transactions } = await payment([
      coin(2n * KAS, 0),
      coin(2n * KAS, 1),
      coin(2n * KAS, 2, { address: carol.ecdsaAddress }),
    ])
    expect(transactions[0]?.addresses().sort()).toEqual([alice.address, carol.ecdsaAddress].sort())
  })
})

describe('signing with a bad key', () => {
  it.each<[string, unknown, string, string]>([
    ['of another person', [bob.privateKey], 'key-mismatch', 'privateKeys'],
    ['none at all', [], 'key-mismatch', 'privateKeys'],
    ['outside an array', alice.privateKey, 'invalid-key', 'privateKeys'],
    ['too short', [alice.privateKey, alice.privateKey.slice(2)], 'invalid-key', 'privateKeys[1]'],
    ['no hex', ['xy'.repeat(32)], 'invalid-key', 'privateKeys[0]'],
    ['no text', [undefined], 'invalid-key', 'privateKeys[0]'],
    ['of zero', ['00'.repeat(32)], 'invalid-key', 'privateKeys[0]'],
    ['beyond the curve’s order', ['ff'.repeat(32)], 'invalid-key', 'privateKeys[0]'],
  ])('%s is refused, and the key not repeated', async (_, keys, code, argument) => {
    const { transactions } = await payment(coins([30n * KAS]))
    const error = thrownBy(() => transactions[0]?.sign(keys as string[]))
    expect(error).toBeInstanceOf(ChainCryptoError)
    expect(error).toMatchObject({ code, argument, message: 'Crypto operation "sign" failed' })
    const told = JSON.stringify([error, String(error), String((error as Error).cause), (error as Error).stack])
    for (const key of [keys].flat()) if (typeof key === 'string' && key.length > 10) expect(told).not.toContain(key)
  })

  it('waits for WASM, which planning did not need', async () => {
    const early = createTransactions(
      createWorld(() => {
        throw new ChainNotReadyError('sign')
      }),
    )
    const { transactions } = await early.create({ entries: coins([KAS]), changeAddress: alice.address })
    expect(() => transactions[0]?.sign([alice.privateKey])).toThrow(ChainNotReadyError)
  })
})

function never(): never {
  throw new Error('there is a transaction')
}
