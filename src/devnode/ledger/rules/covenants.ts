import { ByteWriter } from '../../../model/bytes.js'
import { blake2bKeyed } from '../../../model/hashing.js'
import { toHex } from '../../../model/hex.js'
import type { Transaction } from '../../../model/transaction.js'
import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import type { Objection } from './objection.js'

/**
 * Whether each output under a covenant may be: the input that authorizes it carries the same covenant, or the covenant begins
 * here, and then its id follows from that input's outpoint and all outputs that begin it.
 */
export function objectToCovenantIds({ inputs, outputs }: Transaction, spent: readonly UtxoEntry[]): Objection {
  const bound = [...outputs.entries()].flatMap(([index, { covenant }]) => (covenant ? [{ index, ...covenant }] : []))
  for (const { index, authorizingInput } of bound)
    if (authorizingInput >= inputs.length)
      return `covenants error: output #${index} covenant authorizing input index ${authorizingInput} is out of bounds`
  for (const { authorizingInput, covenantId } of bound) {
    const outpoint = inputs[authorizingInput]?.previousOutpoint
    const continues = spent[authorizingInput]?.covenantId === covenantId
    if (outpoint === undefined || continues) continue
    if (covenantId !== idOf(outpoint, outputs, authorizingInput, covenantId))
      return `covenants error: input #${authorizingInput} and outputs with covenant id ${covenantId} do not correspond to the expected genesis hashing`
  }
  return undefined
}

function idOf(
  outpoint: Outpoint,
  outputs: Transaction['outputs'],
  authorizingInput: number,
  covenantId: string,
): string {
  const begun = [...outputs.entries()].filter(
    ([, { covenant }]) => covenant?.covenantId === covenantId && covenant.authorizingInput === authorizingInput,
  )
  const writer = new ByteWriter().hex(outpoint.transactionId).u32(outpoint.index).u64(begun.length)
  for (const [index, { value, scriptPublicKey }] of begun)
    writer.u32(index).u64(value).u16(scriptPublicKey.version).hexWithLength(scriptPublicKey.script)
  return toHex(blake2bKeyed('CovenantID', writer.written()))
}
