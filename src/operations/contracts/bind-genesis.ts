import { covenantIdOf } from '../../model/covenant-id.js'
import { ZERO_HASH } from '../../model/hashing.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { SpentUtxo } from '../transactions/build.js'

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
