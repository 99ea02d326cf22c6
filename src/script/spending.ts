import { sighashParts, type SighashParts } from '../model/sighash.js'
import type { Transaction, TransactionInput, TransactionOutput } from '../model/transaction.js'
import type { UtxoEntry } from '../model/utxo.js'
import { ScriptError } from './stack.js'

/** What the scripts of all inputs of a transaction read. */
export interface SpendingContext {
  readonly transaction: Transaction
  /** The spent UTXOs of all inputs. */
  readonly spent: readonly UtxoEntry[]
  /** Sighash parts shared by all inputs. */
  readonly parts: SighashParts
  readonly covenants: CovenantRelations
}

/** An input with the data to execute its scripts. */
export interface Spending extends SpendingContext {
  readonly index: number
  readonly input: TransactionInput
  readonly utxo: UtxoEntry
}

/**
 * Prepares a transaction for the execution of its inputs. `spent` are the outputs that it spends, in the order of its
 * inputs.
 */
export const toSpendingContext = (transaction: Transaction, spent: readonly UtxoEntry[]): SpendingContext => ({
  transaction,
  spent,
  parts: sighashParts(transaction),
  covenants: covenantRelations(transaction, spent),
})

/** The input at an index; throws `ScriptError` where there is none, as the functions below do. */
export function inputAt({ transaction: { inputs } }: SpendingContext, index: number): TransactionInput {
  return found(inputs, index, 'input')
}

/** The spent output of the input at an index. */
export function utxoAt({ spent }: SpendingContext, index: number): UtxoEntry {
  return found(spent, index, 'input')
}

export function outputAt({ transaction: { outputs } }: SpendingContext, index: number): TransactionOutput {
  return found(outputs, index, 'output')
}

function found<Item>(items: readonly Item[], index: number, what: 'input' | 'output'): Item {
  const item = items[index]
  if (item !== undefined) return item
  throw new ScriptError(`transaction ${what} ${index} is out of bounds, should be non-negative below ${items.length}`)
}

/**
 * The covenant relations of a transaction, by which scripts find its inputs and outputs. Outputs of a genesis are in
 * none.
 */
export interface CovenantRelations {
  /** Indices of the outputs that continue the covenant of an input. */
  readonly authorizedBy: (input: number) => readonly number[]
  /** Indices of the inputs that spend outputs of a covenant. */
  readonly inputsOf: (covenantId: string) => readonly number[]
  /** Indices of the outputs that continue a covenant. */
  readonly outputsOf: (covenantId: string) => readonly number[]
}

/** Collects the relations. `spent` are the outputs that the transaction spends, in the order of its inputs. */
function covenantRelations({ outputs }: Transaction, spent: readonly UtxoEntry[]): CovenantRelations {
  const continuations = [...outputs.entries()].flatMap(([index, { covenant }]) =>
    covenant !== undefined && spent[covenant.authorizingInput]?.covenantId === covenant.covenantId
      ? [{ index, ...covenant }]
      : [],
  )
  const indicesOf = (isMeant: (continuation: (typeof continuations)[number]) => boolean): readonly number[] =>
    continuations.filter(isMeant).map(({ index }) => index)
  return {
    authorizedBy: (input) => indicesOf(({ authorizingInput }) => authorizingInput === input),
    inputsOf: (id) => [...spent.entries()].flatMap(([index, { covenantId }]) => (covenantId === id ? [index] : [])),
    outputsOf: (id) => indicesOf(({ covenantId }) => covenantId === id),
  }
}
