import { createSdk } from '#sdk'
import { schnorr } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/model/hex.js'
import { SIGHASH_TYPES, sighash, sighashParts, type SpentOutput } from '../../src/model/sighash.js'
import { NATIVE_SUBNETWORK, type Transaction } from '../../src/model/transaction.js'

const KEY = '33'.repeat(32)
const PUBLIC_KEY = schnorr.getPublicKey(fromHex(KEY))
const RUNS = 25

/** SDK 0.15.2 has a wrong byte for AllAnyOneCanPay, see sighash.test.ts. */
const TYPES = ['All', 'None', 'Single', 'NoneAnyOneCanPay', 'SingleAnyOneCanPay'] as const

interface Payment {
  readonly transaction: Transaction
  readonly spent: readonly SpentOutput[]
}

const id = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex)
const u64 = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const scriptPublicKey = fc.record({
  version: fc.constantFrom(0, 1, 0xffff),
  script: fc.uint8Array({ maxLength: 300 }).map(toHex),
})
const spentOutput = fc.record({ amount: fc.bigInt({ min: 1n, max: 10n ** 17n }), scriptPublicKey })
const input = fc.record({
  previousOutpoint: fc.record({ transactionId: id, index: fc.nat({ max: 0xffff_ffff }) }),
  signatureScript: fc.constant(''),
  sequence: u64,
  sigOpCount: fc.nat({ max: 255 }),
})
const output = fc.record({ value: u64, scriptPublicKey })

/** Version 0 without payload, which alone the SDK signs as nodes expect it. */
const payment: fc.Arbitrary<Payment> = fc
  .array(fc.tuple(input, spentOutput), { minLength: 1, maxLength: 6 })
  .chain((pairs) =>
    fc.record({ outputs: fc.array(output, { maxLength: 4 }), lockTime: u64 }).map(({ outputs, lockTime }) => {
      const inputs = pairs.map(([each]) => each)
      const rest = { lockTime, subnetworkId: NATIVE_SUBNETWORK, gas: 0n, payload: '', mass: 0n }
      return { transaction: { version: 0, inputs, outputs, ...rest }, spent: pairs.map(([, each]) => each) }
    }),
  )

describe('the sighashes of random transactions', () => {
  const sdk = createSdk()
  beforeAll(async () => {
    await sdk.default()
  })

  /** The SDK's signature of an input, 64 bytes. */
  function signBySdk({ transaction, spent }: Payment, index: number, type: (typeof TYPES)[number]): Uint8Array {
    const inputs = transaction.inputs.map((each, position) => ({
      ...each,
      utxo: { ...spent[position], outpoint: each.previousOutpoint, blockDaaScore: 0n, isCoinbase: false },
    }))
    const parsed = new sdk.Transaction({ ...transaction, inputs } as ConstructorParameters<typeof sdk.Transaction>[0])
    const key = new sdk.PrivateKey(KEY)
    const script = sdk.createInputSignature(parsed, index, key, sdk.SighashType[type])
    for (const each of [parsed, key]) each.free()
    return fromHex(script.slice(2, -2))
  }

  it('are what the SDK signs, for every type and with the parts of earlier inputs and types', () => {
    fc.assert(
      fc.property(payment, fc.nat(), (each, seed) => {
        const parts = sighashParts(each.transaction)
        for (const [index] of each.transaction.inputs.entries()) {
          const type = TYPES[(seed + index) % TYPES.length] ?? 'All'
          const hash = sighash(each.transaction, index, each.spent, SIGHASH_TYPES[type], parts)
          expect(schnorr.verify(signBySdk(each, index, type), hash, PUBLIC_KEY)).toBe(true)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('do not depend on the order in which inputs and types are hashed', () => {
    const types = Object.values(SIGHASH_TYPES)
    fc.assert(
      fc.property(
        payment,
        fc.uint8Array({ maxLength: 300 }).map(toHex),
        fc.constantFrom(0, 1),
        ({ transaction, spent }, payload, version) => {
          const full: Transaction = { ...transaction, payload, version }
          const parts = sighashParts(full)
          const each = full.inputs.flatMap((_, index) => types.map((type) => [index, type] as const))
          const shared = (order: typeof each): Map<string, string> =>
            new Map(order.map(([index, type]) => [`${index} ${type}`, toHex(sighash(full, index, spent, type, parts))]))
          const alone = new Map(
            each.map(([index, type]) => [`${index} ${type}`, toHex(sighash(full, index, spent, type))]),
          )
          expect(shared(each)).toEqual(alone)
          expect(shared([...each].reverse())).toEqual(alone)
        },
      ),
      { numRuns: RUNS },
    )
  })
})
