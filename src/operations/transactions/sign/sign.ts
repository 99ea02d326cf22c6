import { sighashParts, SIGHASH_TYPES } from '../../../model/sighash.js'
import type { BuiltTransaction } from '../build.js'
import type { Keyring, KeySigner } from './keyring.js'

/** The signature scripts of the inputs, in order; `''` for an input without a signer in the keyring. */
export function signInputs(built: BuiltTransaction, keyring: Keyring): readonly string[] {
  const parts = sighashParts(built.transaction)
  const signFor = ({ toHash, sign }: KeySigner, indexes: readonly number[]): readonly string[] =>
    sign(indexes.map((index) => toHash(built.transaction, index, built.spent, SIGHASH_TYPES.All, parts)))

  const signed = new Map<number, string>()
  for (const [script, indexes] of inputsByScript(built)) {
    const signer = keyring.get(script)
    if (signer === undefined) continue
    const created = signFor(signer, indexes)
    for (const [at, index] of indexes.entries()) signed.set(index, created[at] ?? '')
  }
  return built.spent.map((_, index) => signed.get(index) ?? '')
}

/** Input indexes by locking script. */
function inputsByScript({ spent }: BuiltTransaction): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>()
  for (const [index, { scriptPublicKey }] of spent.entries()) {
    const known = positions.get(scriptPublicKey.script)
    if (known === undefined) positions.set(scriptPublicKey.script, [index])
    else known.push(index)
  }
  return positions
}
