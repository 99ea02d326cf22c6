import { ScriptError } from './script-error.js'
import type { Machine } from './machine.js'
import { isSigned, type SignatureScheme } from './signatures.js'

const MAX_KEYS = 20n

/**
 * m of n: takes n, n keys, m and m signatures off the stack and says whether each signature fits a key, in the same order.
 * Every key that is tried is paid for. A failed check must not hold a signature: whoever sends one means it.
 */
export function checkMultiSignature(machine: Machine, scheme: SignatureScheme): void {
  const { stack } = machine
  const keys = takeCounted(machine, 'pubkey', MAX_KEYS)
  const signatures = takeCounted(machine, 'signature', BigInt(keys.length))
  const isMet = signaturesFit(machine, scheme, signatures, keys)
  if (!isMet && signatures.some(({ length }) => length > 0))
    throw new ScriptError('not all signatures empty on failed checkmultisig')
  stack.pushTruth(isMet)
}

function takeCounted({ stack }: Machine, what: 'pubkey' | 'signature', most: bigint): readonly Uint8Array[] {
  const count = demandInt32(stack.popNumber())
  if (count < 0n) throw new ScriptError(`invalid ${what} count: number of ${what}s ${String(count)} is negative`)
  if (count > most)
    throw new ScriptError(
      what === 'pubkey'
        ? `invalid pubkey count: too many pubkeys ${String(count)} > ${String(most)}`
        : `invalid signature count: more signatures than pubkeys ${String(count)} > ${String(most)}`,
    )
  return stack.take(Number(count))
}

/** Counts are 32-bit numbers to the node, although a script's number may have 64. */
function demandInt32(count: bigint): bigint {
  if (BigInt.asIntN(32, count) === count) return count
  throw new ScriptError('Number too big: out of range integral type conversion attempted')
}

function signaturesFit(
  { spending, units }: Machine,
  scheme: SignatureScheme,
  signatures: readonly Uint8Array[],
  keys: readonly Uint8Array[],
): boolean {
  const left = [...keys]
  for (const [index, signature] of signatures.entries()) {
    if (signature.length === 0) return false
    for (let fits = false; !fits;) {
      if (left.length < signatures.length - index) return false
      const key = left.shift() ?? new Uint8Array(0)
      fits = isSigned(scheme, signature, key, spending, units)
    }
  }
  return true
}
