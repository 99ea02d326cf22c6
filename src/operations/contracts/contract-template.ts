import { computeMass, toStored, transactionSize } from '../../model/mass.js'
import { storageTotals } from '../../model/storage-mass.js'
import { createTransaction, type TransactionInput, type TransactionOutput } from '../../model/transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import {
  KEY_INPUT,
  addSpent,
  NOTHING_SPENT,
  spentBy,
  type BaseMass,
  type TransactionTemplate,
} from '../transactions/plan/template.js'
import type { ContractSpend } from './contract-spend.js'

/** A transaction of version 1 before coin selection. */
export interface ContractRequest {
  readonly spends: readonly ContractSpend[]
  /** In the positions that scripts read; the change comes after them. */
  readonly outputs: readonly TransactionOutput[]
  readonly change: ScriptPublicKey
  /** Sompi beyond the required fee. */
  readonly priorityFee: bigint
  /** @default 0n */
  readonly lockTime?: bigint | undefined
}

/** A compute budget has two bytes more than a count of signature operations. */
const BUDGET_BYTES = 2n

/** The template of a transaction whose first inputs are calls. */
export function createContractTemplate(
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
