import { type BuildOptions, type BuiltTransaction, build, type SpentUtxo } from '../transactions/build.js'
import type { SelectionPool } from '../transactions/plan/candidates.js'
import type { FeePolicy } from '../transactions/plan/fee.js'
import { minimumInputs, planPayment, type Planned } from '../transactions/plan/plan.js'
import { type TransactionOutput, createTransaction, type TransactionInput } from '../../model/transaction.js'
import type { Draft } from '../transactions/plan/draft.js'
import {
  canSpendInputs,
  type TransactionTemplate,
  KEY_INPUT,
  addSpent,
  NOTHING_SPENT,
  spentBy,
  type BaseMass,
} from '../transactions/plan/template.js'
import { toInputs, type ContractSpend, runSpends, type RefusedSpend } from './contract-spend.js'
import { computeMass, toStored, transactionSize, storageTotals } from '../../model/mass.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import { commitAmounts } from '../../model/amount-commitment.js'
import { transactionId } from '../../model/transaction-id.js'
import { bindGenesis } from './genesis.js'

/** A compute budget has two bytes more than a count of signature operations. */
const BUDGET_BYTES = 2n

export type PlannedSpends =
  | { readonly kind: 'planned'; readonly drafts: readonly Draft[]; readonly built: readonly BuiltTransaction[] }
  | ({ readonly kind: 'refused' } & RefusedSpend)
  | ImpossibleSpends

export interface ImpossibleSpends extends Extract<Planned, { kind: 'impossible' }> {
  /** The template with other outputs. */
  readonly withOutputs: (outputs: readonly TransactionOutput[]) => TransactionTemplate
}

/** Budgets that still change after so many plans only rise. */
const EXACT_ROUNDS = 4

/**
 * Plans a transaction of version 1: the calls are its first inputs, then what funds them, the change is its last
 * output. Budgets follow from executing the calls in the planned transaction, and change its fee, thus its change and
 * perhaps its inputs, which calls may read: it is planned again until its budgets are those that its calls use.
 */
export function planSpends(
  request: ContractRequest,
  pool: SelectionPool,
  policy: FeePolicy,
  options: BuildOptions,
): PlannedSpends {
  const { spends, lockTime } = request
  let budgets: readonly number[] = spends.map(() => 0)
  for (let round = 1; ; round++) {
    const inputs = toInputs(spends, budgets)
    const template = createContractTemplate(request, inputs)
    const withOutputs = (outputs: readonly TransactionOutput[]) =>
      createContractTemplate({ ...request, outputs }, inputs)
    if (!canSpendInputs(template, minimumInputs(pool)))
      return { kind: 'impossible', template, attempt: undefined, withOutputs }
    const planned = planPayment(template, pool, policy)
    if (planned.kind === 'impossible') return { ...planned, withOutputs }
    const { drafts } = planned
    const built = buildContract(drafts, { spends, inputs, lockTime }, options)
    const run = runSpends(lastOf(built), spends)
    if (run.kind === 'refused') return run
    const known = budgets
    budgets = round < EXACT_ROUNDS ? run.budgets : run.budgets.map((budget, at) => Math.max(budget, known[at] ?? 0))
    if (budgets.every((budget, at) => budget === known[at])) return { kind: 'planned', drafts, built }
  }
}

function lastOf(built: readonly BuiltTransaction[]): BuiltTransaction {
  const last = built.at(-1)
  if (last === undefined) throw new TypeError('A plan has a transaction')
  return last
}

/** A transaction of version 1 before coin selection. */
interface ContractRequest {
  readonly spends: readonly ContractSpend[]
  /** In the positions that scripts read; the change comes after them. */
  readonly outputs: readonly TransactionOutput[]
  readonly change: ScriptPublicKey
  /** Sompi beyond the required fee. */
  readonly priorityFee: bigint
  /** @default 0n */
  readonly lockTime?: bigint | undefined
}

/** The template of a transaction whose first inputs are calls. */
function createContractTemplate(
  { spends, outputs, change, priorityFee }: ContractRequest,
  inputs: readonly TransactionInput[],
): TransactionTemplate {
  const created = storageTotals(outputs.map(toStored))
  const measure = (all: readonly TransactionOutput[]): BaseMass => {
    const bare = createTransaction({ version: 1, inputs, outputs: all })
    return { compute: computeMass(bare), bytes: BigInt(transactionSize(bare)), created }
  }
  const spent = spends.map(({ utxo }) => spentBy(utxo)).reduce(addSpent, NOTHING_SPENT)
  return {
    outputs,
    change,
    payload: '',
    priorityFee,
    maxInputs: Infinity,
    paid: created.amount - spent.amount,
    spent,
    input: { bytes: KEY_INPUT.bytes + BUDGET_BYTES, mass: KEY_INPUT.mass + BUDGET_BYTES },
    plain: measure(outputs),
    withChange: measure([...outputs, { value: 0n, scriptPublicKey: change }]),
  }
}

/** What the signature of a key takes in version 1. */
const KEY_BUDGET = 10

/**
 * Builds the transactions of a plan: the last one is of version 1, first the inputs of its calls, then those that fund
 * it, with the ids of the covenants that it begins.
 */
function buildContract(drafts: readonly Draft[], call: VersionOne, options: BuildOptions): readonly BuiltTransaction[] {
  const built = build(drafts, options)
  return built.map((one, at) => (at < built.length - 1 ? one : toVersion1(one, call, options)))
}

/** What the transaction of version 1 has beside its funding. */
interface VersionOne {
  readonly spends: readonly ContractSpend[]
  /** The unsigned inputs of the calls. */
  readonly inputs: readonly TransactionInput[]
  readonly lockTime?: bigint | undefined
}

function toVersion1(
  built: BuiltTransaction,
  { spends, inputs, lockTime = 0n }: VersionOne,
  { commitsAmounts }: BuildOptions,
): BuiltTransaction {
  const spent: readonly SpentUtxo[] = [...spends.map(({ utxo }) => utxo), ...built.spent]
  const sequences = commitsAmounts ? commitAmounts(spent) : []
  const transaction = {
    ...built.transaction,
    version: 1,
    lockTime,
    inputs: spent.map(({ outpoint }, at) => inputs[at] ?? keyInput(outpoint, sequences[at] ?? 0n)),
    outputs: bindGenesis(built.transaction.outputs, spent),
  }
  return { ...built, id: transactionId(transaction), transaction, spent }
}

const keyInput = (previousOutpoint: SpentUtxo['outpoint'], sequence: bigint): TransactionInput => ({
  previousOutpoint,
  signatureScript: '',
  sequence,
  sigOpCount: 0,
  computeBudget: KEY_BUDGET,
})
