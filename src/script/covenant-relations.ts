import type { Transaction } from '../model/transaction.js'
import type { UtxoEntry } from '../model/utxo.js'

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
export function covenantRelations({ outputs }: Transaction, spent: readonly UtxoEntry[]): CovenantRelations {
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
