import { invalidArgument } from '../../errors/chain-error.js'
import type { Contract } from '../../model/contracts/contract.js'
import { type GenesisRecord, covenantIdOf } from '../../model/covenant-id.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { BuiltTransaction, SpentUtxo } from '../transactions/build.js'
import { CONTRACT_OUTPUT_AMOUNT, valueAt } from './place-calls.js'
import { ZERO_HASH } from '../../model/hashing.js'

/** A covenant as it begins. */
export interface Beginning {
  readonly contract: Contract
  readonly genesis: GenesisRecord<unknown>
}

/** The outputs that begin a covenant, and their states as they are read. Throws `ChainError` (`invalid-argument`). */
export function begin(
  contract: Contract,
  state: unknown,
  value: bigint | readonly bigint[] | undefined,
): { readonly outputs: readonly TransactionOutput[]; readonly states: readonly unknown[] } {
  const given: readonly unknown[] = Array.isArray(state) ? state : [state]
  if (given.length === 0) throw invalidArgument('state', 'A covenant begins with one output at least')
  return {
    outputs: given.map((one, at) => ({
      value: valueAt(value, at) ?? CONTRACT_OUTPUT_AMOUNT,
      scriptPublicKey: contract.scriptPublicKey(one as never),
      covenant: { authorizingInput: 0, covenantId: BEGINS },
    })),
    states: given.map((one) => contract.decodeState(contract.redeemScript(one as never))),
  }
}

/** The id and the record of a covenant that a built transaction begins by its first outputs. */
export function toGenesis(
  { transaction, spent }: BuiltTransaction,
  states: readonly unknown[],
): { readonly covenantId: string; readonly genesis: GenesisRecord<unknown> } {
  const covenantId = transaction.outputs[0]?.covenant?.covenantId
  const outpoint = spent[0]?.outpoint
  if (covenantId === undefined || outpoint === undefined) throw new TypeError('The transaction begins no covenant')
  const outputs = states.map((state, index) => ({ index, value: transaction.outputs[index]?.value ?? 0n, state }))
  return { covenantId, genesis: { outpoint, outputs } }
}

/** In place of a covenant id that begins with the transaction: it follows from what the authorizing input spends. */
export const BEGINS: string = ZERO_HASH

/**
 * Gives outputs the ids of the covenants that they begin: all that one input authorizes to begin are one covenant.
 * Throws `TypeError` where there is no such input.
 */
export function bindGenesis(
  outputs: readonly TransactionOutput[],
  spent: readonly SpentUtxo[],
): readonly TransactionOutput[] {
  const begun = [...outputs.entries()].filter(([, output]) => isBegun(output))
  return outputs.map((output) => {
    if (output.covenant === undefined || !isBegun(output)) return output
    const { authorizingInput } = output.covenant
    const outpoint = spent[authorizingInput]?.outpoint
    if (outpoint === undefined) throw new TypeError(`No input ${authorizingInput} authorizes the covenant`)
    const group = begun.filter(([, one]) => one.covenant?.authorizingInput === authorizingInput)
    const covenantId = covenantIdOf(
      outpoint,
      group.map(([index, one]) => ({ ...one, index })),
    )
    return { ...output, covenant: { authorizingInput, covenantId } }
  })
}

const isBegun = ({ covenant }: TransactionOutput): boolean => covenant?.covenantId === BEGINS
