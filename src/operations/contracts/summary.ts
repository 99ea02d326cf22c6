import { massOf } from '../transactions/build.js'
import type { PlannedStep } from './plan-steps.js'
import type { ContractSummary } from './records.js'

/** The totals of planned transactions of contracts. */
export function summarizeContracts(steps: readonly PlannedStep[]): ContractSummary {
  const drafts = steps.flatMap(({ planned }) => planned.drafts)
  const outputs = steps.at(-1)?.planned.last.transaction.outputs ?? []
  const calls = steps.flatMap((step) => step.calls)
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
    finalAmount: sum(outputs.map(({ value }) => value)),
    contracts,
    leaves: lost > 0n ? lost : 0n,
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
