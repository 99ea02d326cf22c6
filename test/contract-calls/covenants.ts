import { covenantIdOf } from '../../src/model/covenant-id.js'
import type { TransactionOutput } from '../../src/model/transaction.js'
import type { Outpoint, ScriptPublicKey } from '../../src/model/utxo.js'

/** Outputs of contracts. */

const KAS = 100_000_000n

export const output = (scriptPublicKey: ScriptPublicKey, value = KAS): TransactionOutput => ({ value, scriptPublicKey })

/** An output that continues a covenant. */
export const bound = (
  covenantId: string,
  scriptPublicKey: ScriptPublicKey,
  { value = KAS, authorizingInput = 0 } = {},
): TransactionOutput => ({ value, scriptPublicKey, covenant: { authorizingInput, covenantId } })

/** Binds some outputs, all of them unless named, to the covenant that they begin at an outpoint. */
export function begun(
  outpoint: Outpoint,
  outputs: readonly TransactionOutput[],
  indices: readonly number[] = [...outputs.keys()],
): readonly TransactionOutput[] {
  const covenantId = covenantIdOf(
    outpoint,
    indices.map((index) => ({ ...outputs[index]!, index })),
  )
  return outputs.map((one, index) =>
    indices.includes(index) ? { ...one, covenant: { authorizingInput: 0, covenantId } } : one,
  )
}
