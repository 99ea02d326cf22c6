import { ScriptError } from './script-error.js'
import type { Machine } from './machine.js'
import { verifySignature, type SignatureScheme } from './signatures.js'

const MAX_KEYS = 20n

/**
 * m of n: pops n, n keys, m and m signatures, and pushes whether each signature matches a key, in the same order. Every tried
 * key is charged. All signatures of a failed check must be empty, else the script fails.
 */
export function checkMultiSignature(machine: Machine, scheme: SignatureScheme): void {
  const { stack } = machine
  const keys = popCounted(machine, 'pubkey', MAX_KEYS)
  const signatures = popCounted(machine, 'signature', BigInt(keys.length))
  const isMet = signaturesMatch(machine, scheme, signatures, keys)
  if (!isMet && signatures.some(({ length }) => length > 0))
    throw new ScriptError('not all signatures empty on failed checkmultisig')
  stack.pushBoolean(isMet)
}

function popCounted({ stack }: Machine, what: 'pubkey' | 'signature', max: bigint): readonly Uint8Array[] {
  const count = toInt32(stack.popNumber())
  if (count < 0n) throw new ScriptError(`invalid ${what} count: number of ${what}s ${String(count)} is negative`)
  if (count > max)
    throw new ScriptError(
      what === 'pubkey'
        ? `invalid pubkey count: too many pubkeys ${String(count)} > ${String(max)}`
        : `invalid signature count: more signatures than pubkeys ${String(count)} > ${String(max)}`,
    )
  return stack.take(Number(count))
}

/** The node limits counts to 32 bits, other script numbers to 64. */
function toInt32(count: bigint): bigint {
  if (BigInt.asIntN(32, count) === count) return count
  throw new ScriptError('Number too big: out of range integral type conversion attempted')
}

function signaturesMatch(
  { spending, units }: Machine,
  scheme: SignatureScheme,
  signatures: readonly Uint8Array[],
  keys: readonly Uint8Array[],
): boolean {
  const remaining = [...keys]
  for (const [index, signature] of signatures.entries()) {
    if (signature.length === 0) return false
    for (let matches = false; !matches;) {
      if (remaining.length < signatures.length - index) return false
      const key = remaining.shift() ?? new Uint8Array(0)
      matches = verifySignature(scheme, signature, key, spending, units)
    }
  }
  return true
}
