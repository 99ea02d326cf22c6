import { commitAmounts } from '../../model/amount-commitment.js'
import type { TransactionInput } from '../../model/transaction.js'
import { transactionId } from '../../model/transaction-id.js'
import { build, type BuildOptions, type BuiltTransaction, type SpentUtxo } from '../transactions/build.js'
import type { Draft } from '../transactions/plan/draft.js'
import { bindGenesis } from './bind-genesis.js'
import type { ContractSpend } from './contract-spend.js'

/** What the signature of a key takes in version 1. */
const KEY_BUDGET = 10

/**
 * Builds the transactions of a plan: the last one is of version 1, first the inputs of its calls, then those that fund
 * it, with the ids of the covenants that it begins.
 */
export function buildContract(
  drafts: readonly Draft[],
  call: VersionOne,
  options: BuildOptions,
): readonly BuiltTransaction[] {
  const built = build(drafts, options)
  return built.map((one, at) => (at < built.length - 1 ? one : toVersion1(one, call, options)))
}

/** What the transaction of version 1 has beside its funding. */
export interface VersionOne {
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
