import { sighashParts, SIGHASH_TYPES } from '../../../model/sighash.js'
import { refuse } from '../../keys/refusal.js'
import type { BuiltTransaction } from '../build.js'
import type { Keyring, Owner } from './keyring.js'

/**
 * The signature scripts of all inputs, in order: made where one of the keys fits, what `scripts` has where none does.
 * Throws `ChainCryptoError` (`key-mismatch`) where the keys fit no input at all.
 */
export function signInputs(built: BuiltTransaction, scripts: readonly string[], keyring: Keyring): readonly string[] {
  const parts = sighashParts(built.transaction)
  const signFor = ({ toHash, sign }: Owner, indexes: readonly number[]): readonly string[] =>
    sign(indexes.map((index) => toHash(built.transaction, index, built.spent, SIGHASH_TYPES.All, parts)))

  const made = new Map<number, string>()
  for (const [script, indexes] of inputsByScript(built)) {
    const owner = keyring.get(script)
    if (owner === undefined) continue
    const signed = signFor(owner, indexes)
    for (const [at, index] of indexes.entries()) made.set(index, signed[at] ?? '')
  }
  if (made.size > 0) return built.spent.map((_, index) => made.get(index) ?? scripts[index] ?? '')
  throw refuse('sign', {
    code: 'key-mismatch',
    argument: 'privateKeys',
    story: 'None of the keys fits an input of the transaction',
    hint: 'addresses() of the transaction names the addresses whose keys it takes.',
  })
}

/** The positions of the inputs that spend from a locking script, for each such script. */
function inputsByScript({ spent }: BuiltTransaction): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>()
  for (const [index, { scriptPublicKey }] of spent.entries()) {
    const known = positions.get(scriptPublicKey.script)
    if (known === undefined) positions.set(scriptPublicKey.script, [index])
    else known.push(index)
  }
  return positions
}
