import { ByteWriter } from '../../../model/bytes.js'
import { blake2bKeyed } from '../../../model/hashing.js'
import { toHex } from '../../../model/hex.js'
import type { Transaction } from '../../../model/transaction.js'
import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import type { Violation } from '../../../model/transaction-rules/violation.js'

/**
 * Validates the covenant ids of outputs. Either the authorizing input has the same covenant id, or the covenant begins here and
 * its id is the hash of the outpoint of that input and of all outputs that begin it.
 */
export function validateCovenantIds({ inputs, outputs }: Transaction, spent: readonly UtxoEntry[]): Violation {
  const bindings = [...outputs.entries()].flatMap(([index, { covenant }]) => (covenant ? [{ index, ...covenant }] : []))
  for (const { index, authorizingInput } of bindings)
    if (authorizingInput >= inputs.length)
      return `covenants error: output #${index} covenant authorizing input index ${authorizingInput} is out of bounds`
  for (const { authorizingInput, covenantId } of bindings) {
    const outpoint = inputs[authorizingInput]?.previousOutpoint
    const isContinuation = spent[authorizingInput]?.covenantId === covenantId
    if (outpoint === undefined || isContinuation) continue
    if (covenantId !== covenantIdOf(outpoint, outputs, authorizingInput, covenantId))
      return `covenants error: input #${authorizingInput} and outputs with covenant id ${covenantId} do not correspond to the expected genesis hashing`
  }
  return undefined
}

function covenantIdOf(
  outpoint: Outpoint,
  outputs: Transaction['outputs'],
  authorizingInput: number,
  covenantId: string,
): string {
  const genesisOutputs = [...outputs.entries()].filter(
    ([, { covenant }]) => covenant?.covenantId === covenantId && covenant.authorizingInput === authorizingInput,
  )
  const writer = new ByteWriter().hex(outpoint.transactionId).u32(outpoint.index).u64(genesisOutputs.length)
  for (const [index, { value, scriptPublicKey }] of genesisOutputs)
    writer.u32(index).u64(value).u16(scriptPublicKey.version).hexWithLength(scriptPublicKey.script)
  return toHex(blake2bKeyed('CovenantID', writer.written()))
}
