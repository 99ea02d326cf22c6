import { invalidArgument } from '../../errors/chain-error.js'
import type { KnownOutput } from '../../model/contracts/pending-call.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import type { Reservations, TransactionDependencies } from '../transactions/transaction-operations.js'
import { prepareFunds, type NodeTerms } from '../transactions/prepare.js'
import type { DescribedCall, ContractSummary } from './contract-call.js'
import { placeCalls, type PlacedCall } from './place-calls.js'
import {
  fetchContractTerms,
  planContract,
  type CheckedContractSettings,
  type PlannedContract,
} from './plan-contract.js'
import { MEMPOOL_SCORE, prepareCalls } from './prepare-calls.js'
import { createdOutputs } from './submit-calls.js'
import { massOf } from '../transactions/build.js'

/** A transaction with calls that is planned, after those that join UTXOs for it. */
export interface PlannedStep {
  readonly planned: PlannedContract
  readonly calls: readonly PlacedCall[]
}

interface StepOptions {
  readonly checked: CheckedContractSettings
  readonly call: Call
  readonly signal: AbortSignal | undefined
}

/**
 * Plans the transaction of some calls, after those that they need before it: each is funded by the change of the one
 * before it. Rejects as `prepareCalls` and `planContract` throw.
 */
export async function planSteps(
  described: readonly DescribedCall[],
  { checked, call, signal }: StepOptions,
  { reservations }: Pick<TransactionDependencies, 'reservations'>,
): Promise<readonly PlannedStep[]> {
  const steps: PlannedStep[] = []
  const plan = async (calls: readonly DescribedCall[], outputs: CheckedContractSettings['outputs']) => {
    const settings = { ...checked, outputs, maxFee: leftOf(checked.maxFee, steps) }
    const prepared = await prepareCalls(calls, { ...settings, call })
    const terms = fetchContractTerms(settings, prepared, call).then((known) => fundedBy(steps.at(-1), known))
    const preparation = await prepareFunds(settings, terms)
    const placed = placeCalls(prepared, checked.lockTime)
    const after = { reservations: reservedBy(steps, reservations) }
    const step = { planned: planContract(placed, [], preparation, after), calls: placed }
    steps.push(step)
    return step
  }
  const planBefore = async (calls: readonly DescribedCall[]): Promise<readonly KnownOutput[]> => {
    if (checked.replaces !== undefined)
      throw invalidArgument('replaces', 'Calls that need another transaction before them replace none')
    const { planned, calls: placed } = await plan(calls, [])
    return createdOutputs(planned.last, placed)
  }
  const calls: DescribedCall[] = []
  const { network, change, replaces } = checked
  for (const one of described)
    calls.push(...((await one.expand?.({ network, change, replaces, signal, planBefore })) ?? [one]))
  await plan(calls, checked.outputs)
  return steps
}

/** The last of some steps, which are not empty. */
export function lastOf(steps: readonly PlannedStep[]): PlannedStep {
  const last = steps.at(-1)
  if (last === undefined) throw new TypeError('A plan has a transaction')
  return last
}

/** What the fees of the steps leave of their bound. */
const leftOf = (maxFee: bigint | undefined, steps: readonly PlannedStep[]): bigint | undefined =>
  maxFee && steps.flatMap(({ planned }) => planned.drafts).reduce((left, { fee }) => left - fee, maxFee)

/** What is reserved, and what the steps spend. */
function reservedBy(steps: readonly PlannedStep[], reservations: Reservations): Reservations {
  const spent = steps.flatMap(({ planned }) => planned.built).flatMap((built) => built.spent)
  return spent.length === 0 ? reservations : { ...reservations, reserved: () => [...reservations.reserved(), ...spent] }
}

/** The change of a step, which the next one spends. */
function fundedBy(step: PlannedStep | undefined, terms: NodeTerms): NodeTerms {
  if (step === undefined) return terms
  const { id, transaction } = step.planned.last
  const change = [...transaction.outputs.entries()].flatMap(([index, { value, scriptPublicKey, covenant }]) => {
    const outpoint = { transactionId: id, index }
    const utxo: UtxoEntry = {
      outpoint,
      amount: value,
      scriptPublicKey,
      blockDaaScore: MEMPOOL_SCORE,
      isCoinbase: false,
    }
    return covenant === undefined ? [utxo] : []
  })
  return { ...terms, fixed: [...terms.fixed, ...change] }
}

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
