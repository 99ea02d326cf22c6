import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import { createTransactions } from '../../src/operations/transactions/transactions.js'
import { KAS, alice, bob, carol, scriptAddress, utxo } from '../operations/transactions/accounts.js'
import { createScriptedDependencies } from '../operations/transactions/scripted-dependencies.js'
import { LIMIT } from '../limits.js'
import { runs } from '../full.js'

/**
 * The planner on the entries of a hostile node, checked by arithmetic of this file alone: what a plan spends, whom it
 * pays, and its masses and fees by the rules of the network.
 */

const CASES = runs(400, 20_000)

const { create } = createTransactions(
  createScriptedDependencies(() => {
    throw new Error('Planning never uses the SDK')
  }),
)

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 30_000_000n }),
  fc.bigInt({ min: KAS / 10n, max: 100n * KAS }),
  fc.bigInt({ min: 100n * KAS, max: 1_000_000n * KAS }),
)

/** `own`: valid. The others are what a hostile node makes up. */
const kind = fc.constantFrom<'own' | 'planted' | 'other version' | 'repeated' | 'anonymous script'>(
  ...(['own', 'own', 'own', 'own', 'planted', 'other version', 'repeated', 'anonymous script'] as const),
)

const entries = fc
  .array(fc.record({ amount, kind }), { minLength: 1, maxLength: 40, size: 'max' })
  .map((all) => all.map((one, number) => toEntry(one.kind, one.amount, number)))

function toEntry(kindOf: string, value: bigint, number: number): UtxoEntry {
  const own = utxo(value, kindOf === 'repeated' ? 0 : number + 1)
  if (kindOf === 'planted') return { ...own, scriptPublicKey: toScriptPublicKey(carol.address) }
  if (kindOf === 'other version') return { ...own, scriptPublicKey: { ...own.scriptPublicKey, version: 1 } }
  if (kindOf !== 'anonymous script') return own
  const { address: _, ...anonymous } = utxo(value, number + 1, { address: scriptAddress })
  return anonymous
}

const isOwn = ({ scriptPublicKey: { version, script } }: UtxoEntry): boolean =>
  version === 0 && script === toScriptPublicKey(alice.address).script

const settings = fc.record({
  entries,
  outputs: fc.array(
    amount.map((value) => ({ address: bob.address, amount: value })),
    { minLength: 1, maxLength: 4 },
  ),
  changeAddress: fc.constantFrom(alice.address, scriptAddress),
})

interface Output {
  readonly value: bigint
  readonly script: string
}

const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)

/** Grams of a signed transaction of version 0 without payload, by its bytes, scripts and signatures. */
function relayMassOf(inputs: number, outputs: readonly Output[]): bigint {
  const scriptBytes = outputs.map(({ script }) => script.length / 2)
  const bytes = 94 + 118 * inputs + scriptBytes.reduce((sum, length) => sum + 18 + length, 0)
  const compute = bytes + scriptBytes.reduce((sum, length) => sum + 10 * (2 + length), 0) + 1_000 * inputs
  return BigInt(Math.max(compute, 2 * bytes))
}

/** Grams by KIP-9, where each output takes one unit of storage. */
function storageMassOf(inputs: readonly bigint[], outputs: readonly Output[]): bigint {
  const C = 10n ** 12n
  const created = total(outputs.map(({ value }) => C / value))
  const isRelaxed = outputs.length === 1 || inputs.length === 1 || (outputs.length === 2 && inputs.length === 2)
  const count = BigInt(inputs.length)
  const spent = isRelaxed ? total(inputs.map((value) => C / value)) : count * (C / (total(inputs) / count))
  return created > spent ? created - spent : 0n
}

describe('a plan from the entries of a hostile node', () => {
  it(
    'spends valid entries once, pays no one else, and at most the bound of the fees',
    { timeout: 2 * LIMIT },
    async () => {
      let plans = 0
      await fc.assert(
        fc.asyncProperty(settings, async (given) => {
          const plan = await create(given).catch((error: unknown) => error)
          if (plan instanceof Error) {
            expect(plan).toBeInstanceOf(ChainError)
            return
          }
          const { transactions } = plan as Awaited<ReturnType<typeof create>>
          plans++
          const unspent = new Map<string, Output>()
          for (const entry of given.entries.filter(isOwn)) {
            // of a repeated outpoint the last entry counts
            unspent.set(toOutpointKey(entry.outpoint), { value: entry.amount, script: entry.scriptPublicKey.script })
          }
          const fees = transactions.map((transaction, at) => {
            const { inputs, outputs: made } = transaction.serialize()
            const spent = inputs.map(({ previousOutpoint }) => {
              const key = toOutpointKey(previousOutpoint)
              const found = unspent.get(key)
              if (found === undefined) throw new Error(`${key} is not valid, or spent twice`)
              unspent.delete(key)
              return found
            })
            const outputs = made.map(({ value, scriptPublicKey }) => ({ value: BigInt(value), ...scriptPublicKey }))
            const isFinal = at === transactions.length - 1
            if (!isFinal) for (const { script } of outputs) expect(spent.map((one) => one.script)).toContain(script)
            else expectPaid(given, outputs)
            outputs.forEach((output, index) =>
              unspent.set(toOutpointKey({ transactionId: transaction.id, index }), output),
            )
            const values = spent.map(({ value }) => value)
            const fee = total(values) - total(outputs.map(({ value }) => value))
            const [relay, storage] = [relayMassOf(inputs.length, outputs), storageMassOf(values, outputs)]
            expect(fee).toBe(transaction.fee)
            expect(transaction.mass).toBe(relay > storage ? relay : storage)
            expect(fee).toBeGreaterThanOrEqual(100n * relay)
            expect(relay <= 500_000n && storage <= 500_000n).toBe(true)
            return fee
          })
          const byMass = 1_000n * total(transactions.map(({ mass }) => mass))
          expect(total(fees)).toBeLessThanOrEqual(byMass > KAS ? byMass : KAS)
        }),
        { numRuns: CASES, endOnFailure: true },
      )
      expect(plans).toBeGreaterThan(CASES / 5)
    },
  )
})

/** The recipients in order, then at most one output to the change address. */
function expectPaid(
  given: { outputs: readonly { amount: bigint }[]; changeAddress: string },
  outputs: readonly Output[],
): void {
  const recipient = toScriptPublicKey(bob.address).script
  const due = given.outputs.map((output) => ({ value: output.amount, script: recipient }))
  const paid = outputs.map(({ value, script }) => ({ value, script }))
  expect(paid.slice(0, due.length)).toEqual(due)
  const change = toScriptPublicKey(given.changeAddress).script
  expect(paid.slice(due.length).map(({ script }) => script)).toEqual(paid.length > due.length ? [change] : [])
}
