import type { SignatureOf } from '../../model/contracts/value-codec.js'
import type { TransactionInput } from '../../model/transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { runInput } from '../../script/run-input.js'
import { budgetOf, MAX_UNITS } from '../../script/machine.js'
import { toSpendingContext } from '../../script/spending.js'
import { scriptViolation } from '../../script/verify.js'
import type { BuiltTransaction, SpentUtxo } from '../transactions/build.js'

/** An input that spends an output of a contract by a call. */
export interface ContractSpend {
  readonly utxo: UtxoEntry
  readonly entry: string
  /** Its signature script, hex; without `sign` with placeholders in place of signatures. */
  readonly script: (sign?: SignatureOf) => string
  /** @default 0n */
  readonly sequence?: bigint | undefined
  /** The compute budget, for a script that cannot be executed here. @default what its execution uses */
  readonly budget?: number | undefined
}

/** The unsigned inputs of calls, with their compute budgets. */
export const toInputs = (spends: readonly ContractSpend[], budgets: readonly number[]): readonly TransactionInput[] =>
  spends.map(({ utxo, script, sequence = 0n }, at) => ({
    previousOutpoint: utxo.outpoint,
    signatureScript: script(),
    sequence,
    sigOpCount: 0,
    computeBudget: budgets[at] ?? 0,
  }))

/** What the calls of a transaction need, or why a node would refuse one of them. */
type SpendsRun =
  | { readonly kind: 'executed'; readonly budgets: readonly number[] }
  | ({ readonly kind: 'refused' } & RefusedSpend)

/** A call that a node would refuse. */
export interface RefusedSpend {
  readonly input: number
  readonly entry: string
  /** The node's text. */
  readonly reason: string
}

/** Before signatures are made, and with them: then within the budgets that the inputs commit to. */
const OPTIONS = { planned: { limit: MAX_UNITS, signatures: 'placeholders' }, signed: {} } as const

/**
 * Executes the calls of a built transaction, its first inputs. Placeholders count as the signatures of their keys, so
 * that the budgets are exact before anything is signed. A call whose budget was named is not executed.
 */
export function runSpends(
  { transaction, spent }: BuiltTransaction,
  spends: readonly ContractSpend[],
  phase: keyof typeof OPTIONS = 'planned',
): SpendsRun {
  const entries = spent.map((utxo, index) => spends[index]?.utxo ?? toEntry(utxo))
  const context = toSpendingContext(transaction, entries)
  const budgets: number[] = []
  for (const [input, { entry, budget }] of spends.entries()) {
    if (budget !== undefined) {
      budgets.push(budget)
      continue
    }
    const { units, failure } = runInput(context, input, OPTIONS[phase])
    const { signatureScript = '' } = transaction.inputs[input] ?? {}
    if (failure !== undefined)
      return { kind: 'refused', input, entry, reason: scriptViolation(signatureScript, failure) }
    budgets.push(budgetOf(units))
  }
  return { kind: 'executed', budgets }
}

/** An output that funds the transaction. Its score is not known here. */
const toEntry = (utxo: SpentUtxo): UtxoEntry => ({ ...utxo, blockDaaScore: 0n, isCoinbase: false })
