import { massOf } from '../transactions/build.js'
import type { PlacedCall } from './place-calls.js'
import type { PlannedContract } from './plan-contract.js'
import type { ContractSummary } from './records.js'

/** The totals of a planned transaction of contracts. */
export function summarizeContracts({ drafts, last }: PlannedContract, calls: readonly PlacedCall[]): ContractSummary {
  const contracts = calls.map(({ call: { covenantId, entry }, utxo, outputs }) => ({
    covenantId,
    entry,
    before: utxo.amount,
    after: sum(outputs.map(({ value }) => value)),
  }))
  const lost = sum(contracts.map(({ before, after }) => before - after))
  return {
    fees: sum(drafts.map(({ fee }) => fee)),
    mass: sum(drafts.map(massOf)),
    transactions: drafts.length,
    finalAmount: sum(last.transaction.outputs.map(({ value }) => value)),
    contracts,
    leaves: lost > 0n ? lost : 0n,
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
