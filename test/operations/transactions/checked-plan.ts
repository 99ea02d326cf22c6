import { expect } from 'vitest'
import {
  MASS_LIMITS,
  MAX_INPUTS,
  computeMass,
  minimumFee,
  relayMass,
  storageMass,
  transientMass,
} from '../../../src/model/mass.js'
import { toTransaction } from '../../../src/model/serialized-transaction.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import type { CreatedTransactions } from '../../../src/operations/transactions/transaction-operations.js'

/** A transaction of a plan with the values a node computes. */
export interface SeenTransaction {
  readonly transaction: Transaction
  readonly spent: readonly Pick<UtxoEntry, 'amount' | 'scriptPublicKey'>[]
  readonly fee: bigint
  readonly relay: bigint
  readonly mass: bigint
}

const SIGNATURE = `41${'ab'.repeat(64)}01`

/**
 * Validates a plan as a node would: each transaction spends existing outputs once, inputs equal outputs plus fee, and
 * ids, masses and fees match the plan. Uses placeholder signatures of the right length. Returns the computed
 * transactions.
 */
export function followPlan(
  entries: readonly UtxoEntry[],
  { transactions, summary }: CreatedTransactions,
): readonly SeenTransaction[] {
  const unspent = new Map<string, SeenTransaction['spent'][number]>(
    entries.map((entry) => [toOutpointKey(entry.outpoint), entry]),
  )
  const seen = transactions.map((pending) => {
    const unsigned = toTransaction(pending.serialize())
    const transaction = {
      ...unsigned,
      inputs: unsigned.inputs.map((input) => ({ ...input, signatureScript: SIGNATURE })),
    }
    const spent = transaction.inputs.map(({ previousOutpoint }) => take(unspent, toOutpointKey(previousOutpoint)))
    for (const [index, { value, scriptPublicKey }] of transaction.outputs.entries()) {
      unspent.set(toOutpointKey({ transactionId: pending.id, index }), { amount: value, scriptPublicKey })
    }
    const fee = sum(spent.map(({ amount }) => amount)) - sum(transaction.outputs.map(({ value }) => value))
    const storage = storageMass(transaction, spent)
    const relay = relayMass(transaction)
    expect(pending.id).toBe(transactionId(transaction))
    expect(pending.fee).toBe(fee)
    expect(pending.mass).toBe(storage > relay ? storage : relay)
    expect(transaction.mass).toBe(storage)
    expect(fee).toBeGreaterThanOrEqual(minimumFee(transaction))
    expectWithinLimits(transaction, storage)
    return { transaction, spent, fee, relay, mass: pending.mass }
  })
  expect(summary.fees).toBe(sum(seen.map(({ fee }) => fee)))
  expect(summary.mass).toBe(sum(seen.map(({ mass }) => mass)))
  expect(summary.transactions).toBe(seen.length)
  return seen
}

function expectWithinLimits(transaction: Transaction, storage: bigint): void {
  expect(computeMass(transaction)).toBeLessThanOrEqual(MASS_LIMITS.compute)
  expect(transientMass(transaction)).toBeLessThanOrEqual(MASS_LIMITS.transient)
  expect(storage).toBeLessThanOrEqual(MASS_LIMITS.storage)
  expect(transaction.inputs.length).toBeLessThanOrEqual(MAX_INPUTS)
  expect(transaction.inputs.length).toBeGreaterThan(0)
  expect(transaction.outputs.every(({ value }) => value > 0n)).toBe(true)
}

function take<Utxo>(unspent: Map<string, Utxo>, key: string): Utxo {
  const utxo = unspent.get(key)
  if (utxo === undefined) throw new Error(`${key} is not unspent`)
  unspent.delete(key)
  return utxo
}

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
