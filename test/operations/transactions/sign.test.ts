import { beforeAll, describe, expect, it } from 'vitest'
import { ChainCryptoError } from '../../../src/errors/crypto-error.js'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { toTransaction } from '../../../src/model/serialized-transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { TransactionOperations } from '../../../src/operations/transactions/transaction-operations.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { countedSdk } from '../../sdk/counted-sdk.js'
import { followPlan } from './checked-plan.js'
import { KAS, alice, bob, carol, utxo, utxos } from './accounts.js'
import { large, acceptingNode } from './accepting-node.js'
import { signaturesVerify } from './verify.js'
import { createScriptedDependencies } from './scripted-dependencies.js'

let operations: TransactionOperations

beforeAll(async () => {
  operations = createTransactions(createScriptedDependencies(await loadSdk()))
})

const payment = (entries: readonly UtxoEntry[], more: object = {}) =>
  operations.create({
    entries,
    outputs: [{ address: bob.address, amount: 5n * KAS }],
    changeAddress: alice.address,
    ...more,
  })

/** Signs a plan and verifies every signature as a node would. */
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

function thrownBy(attempt: () => unknown): unknown {
  try {
    return attempt()
  } catch (error) {
    return error
  }
}

describe('signing', () => {
  it('signs every input of a payment', () => expectSigned(utxos([3n * KAS, 4n * KAS]), [alice.privateKey]))

  it('signs the payload, which SDK 0.15.2 omits', () =>
    expectSigned(utxos([30n * KAS]), [alice.privateKey], { payload: 'c0ffee' }))

  it('signs ECDSA inputs, which no SDK signs', () =>
    expectSigned(utxos([30n * KAS], { address: alice.ecdsaAddress }), [alice.privateKey]))

  it('signs for both addresses of a key, and for several keys, in one transaction', () =>
    expectSigned(
      [
        utxo(2n * KAS, 0),
        utxo(2n * KAS, 1, { address: alice.ecdsaAddress }),
        utxo(2n * KAS, 2, { address: carol.address }),
      ],
      [carol.privateKey, alice.privateKey],
    ))

  it('signs compound transactions', () =>
    expectSigned(utxos(Array.from({ length: 100 }, () => KAS)), [alice.privateKey], {
      outputs: [{ address: bob.address, amount: 95n * KAS }],
    }))

  it('accepts keys in upper case', () => expectSigned(utxos([30n * KAS]), [alice.privateKey.toUpperCase()]))

  it('reads each key once per payment', async () => {
    const port = await loadSdk()
    let read = 0
    const counting: SdkPort = { ...port, publicKey: (key) => (read++, port.publicKey(key)) }
    const { deps, accepted } = acceptingNode(counting)
    await createTransactions(deps).send({ ...large, privateKeys: [carol.privateKey, alice.privateKey] })
    expect([accepted.length, read]).toEqual([2, 2])
  })

  it('reads the keys of a frozen array once in all, and those of another array with each payment', async () => {
    const port = await loadSdk()
    let read = 0
    const counting: SdkPort = { ...port, publicKey: (key) => (read++, port.publicKey(key)) }
    const { create } = createTransactions(createScriptedDependencies(counting))
    const signWith = async (privateKeys: readonly string[]): Promise<number> => {
      const { transactions } = await create({ entries: utxos([3n * KAS]), changeAddress: alice.address })
      await transactions[0]?.signAsync(privateKeys)
      return read
    }
    const frozen = Object.freeze([alice.privateKey])
    expect([await signWith(frozen), await signWith(frozen)]).toEqual([1, 1])
    const keys = [alice.privateKey]
    await signWith(keys)
    keys[0] = bob.privateKey
    await expect(signWith(keys)).rejects.toMatchObject({ code: 'key-mismatch' })
    await expect(signWith(Object.freeze([bob.privateKey]))).rejects.toMatchObject({ code: 'key-mismatch' })
    expect(read).toBe(4)
  })

  it('frees all WASM objects after a hundred plans', async () => {
    const counted = await countedSdk()
    const { create } = createTransactions(createScriptedDependencies(await loadSdk(() => counted.load())))
    for (let plan = 0; plan < 100; plan++) {
      const { transactions } = await create({ entries: utxos([3n * KAS, 4n * KAS]), changeAddress: alice.address })
      for (const transaction of transactions) transaction.sign([bob.privateKey, alice.privateKey])
    }
    expect(counted.made()).toBeGreaterThanOrEqual(300)
    expect(counted.live()).toBe(0)
  })

  it('submits nothing unsigned, and reports the addresses whose keys are needed', async () => {
    const { transactions } = await payment([utxo(3n * KAS, 0), utxo(3n * KAS, 1, { address: carol.address })])
    const error: unknown = await transactions[0]?.submit().catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      operation: 'submit',
      code: 'key-mismatch',
      hint: `Sign with the keys of all inputs at once, also with those of ${alice.address}, ${carol.address}.`,
    })
    expect((error as ChainCryptoError).cause).toMatchObject({ message: '2 of 2 inputs are not signed' })
  })

  it('lists the addresses whose keys are needed, without duplicates', async () => {
    const { transactions } = await payment([
      utxo(2n * KAS, 0),
      utxo(2n * KAS, 1),
      utxo(2n * KAS, 2, { address: carol.ecdsaAddress }),
    ])
    expect(transactions[0]?.addresses().sort()).toEqual([alice.address, carol.ecdsaAddress].sort())
  })
})

describe('signing with an invalid key', () => {
  it.each<[string, unknown, string, string]>([
    ['of another account', [bob.privateKey], 'key-mismatch', 'privateKeys'],
    ['an empty array', [], 'key-mismatch', 'privateKeys'],
    ['outside an array', alice.privateKey, 'invalid-key', 'privateKeys'],
    ['too short', [alice.privateKey, alice.privateKey.slice(2)], 'invalid-key', 'privateKeys[1]'],
    ['not hex', ['xy'.repeat(32)], 'invalid-key', 'privateKeys[0]'],
    ['not a string', [undefined], 'invalid-key', 'privateKeys[0]'],
    ['of zero', ['00'.repeat(32)], 'invalid-key', 'privateKeys[0]'],
    ['beyond the curve’s order', ['ff'.repeat(32)], 'invalid-key', 'privateKeys[0]'],
  ])('%s is rejected without quoting the key', async (_, keys, code, argument) => {
    const { transactions } = await payment(utxos([30n * KAS]))
    const error = thrownBy(() => transactions[0]?.sign(keys as string[]))
    expect(error).toBeInstanceOf(ChainCryptoError)
    expect(error).toMatchObject({ code, argument, message: 'Crypto operation "sign" failed' })
    const output = JSON.stringify([error, String(error), String((error as Error).cause), (error as Error).stack])
    for (const key of [keys].flat()) if (typeof key === 'string' && key.length > 10) expect(output).not.toContain(key)
  })

  it('needs WASM, which planning does not', async () => {
    const early = createTransactions(
      createScriptedDependencies(() => {
        throw new ChainNotReadyError('sign')
      }),
    )
    const { transactions } = await early.create({ entries: utxos([KAS]), changeAddress: alice.address })
    expect(() => transactions[0]?.sign([alice.privateKey])).toThrow(ChainNotReadyError)
  })
})
