import { describe, expect, it } from 'vitest'
import { admit } from '../../src/devnode/ledger/mempool/admission.js'
import { sighash, SIGHASH_TYPES, type SighashType } from '../../src/model/sighash.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { toHex } from '../../src/model/hex.js'
import { runInput } from '../../src/script/run-input.js'
import { toSpendingContext } from '../../src/script/spending.js'
import { networkWith } from '../devnode/ledger/recorded.js'
import hashes from '../fixtures/contracts/hashes.json'
import recordings from '../fixtures/contracts/spends.json'
import recordedUnits from '../fixtures/contracts/units.json'
import { toSpent, toTransaction, type RecordedSpend } from './recorded.js'

/** Payments, genesis transactions and calls that kaspad 2.1.0 accepted or refused. */

interface RecordedCase extends RecordedSpend {
  readonly name: string
  readonly accepted: boolean
  readonly error?: string
  readonly id: string
}

const cases = recordings.cases as unknown as readonly RecordedCase[]

/** Refused for what the mempool or the chain held before. */
const NEEDS_HISTORY = ['conflict: another call of the same state', 'call of a spent state']

function outcomeOf(recorded: RecordedCase): string {
  const network = networkWith(toSpent(recorded))
  const admission = admit(network, toTransaction(recorded), { rbf: 'forbidden', missingUtxo: 'reject' })
  return admission.kind === 'rejected' ? admission.message.replace(/^Rejected transaction \w+: /, '') : admission.kind
}

describe('the simulated network', () => {
  it.each(cases.filter(({ name }) => !NEEDS_HISTORY.includes(name)))('decides as kaspad: $name', (recorded) => {
    expect(outcomeOf(recorded)).toBe(recorded.accepted ? 'admitted' : recorded.error)
  })
})

it('computes the ids of version-1 transactions as kaspad, and their sighashes of all types as PyPI kaspa', () => {
  expect(cases.map((recorded) => transactionId(toTransaction(recorded)))).toEqual(cases.map(({ id }) => id))
  const types = Object.values(SIGHASH_TYPES)
  expect(types).toEqual(hashes.types)
  for (const [position, { name, sighashes }] of hashes.cases.entries()) {
    const recorded = cases[position]!
    expect(recorded.name).toBe(name)
    const transaction = toTransaction(recorded)
    const computed = transaction.inputs.map((_, index) =>
      types.map((type: SighashType) => toHex(sighash(transaction, index, toSpent(recorded), type))),
    )
    expect(computed).toEqual(sighashes)
  }
})

it('uses the units that the engine counts, for each input of each accepted case', () => {
  const accepted = cases.filter((recorded) => recorded.accepted)
  const unitsOf = (recorded: RecordedCase): readonly number[] => {
    const context = toSpendingContext(toTransaction(recorded), toSpent(recorded))
    return recorded.transaction.inputs.map((_, index) => runInput(context, index).units)
  }
  expect(Object.fromEntries(accepted.map((recorded) => [recorded.name, unitsOf(recorded)]))).toEqual(
    recordedUnits.units,
  )
})
