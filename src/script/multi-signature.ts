import { countOperations, type Machine } from './machine.js'
import { ScriptError } from './script-error.js'
import { toSighashType, verifySignature } from './signatures.js'
import type { SignatureScheme } from './verify-on-curve.js'

const MAX_KEYS = 20

/**
 * m of n: pops n, n keys, m and m signatures, and pushes whether each signature matches a key, in the same order. Every
 * tried key is charged. All signatures of a failed check must be empty, else the script fails.
 */
export function checkMultiSignature(machine: Machine, scheme: SignatureScheme): void {
  const { stack } = machine
  const keys = popKeys(machine)
  const signatures = popSignatures(machine, keys.length)
  const isMet = signaturesMatch(machine, scheme, signatures, keys)
  if (!isMet && signatures.some(({ length }) => length > 0))
    throw new ScriptError('not all signatures empty on failed checkmultisig')
  stack.pushBoolean(isMet)
}

function popKeys(machine: Machine): readonly Uint8Array[] {
  const count = machine.stack.popInt32()
  if (count < 0) throw new ScriptError(`invalid pubkey count: number of pubkeys ${count} is negative`)
  if (count > MAX_KEYS) throw new ScriptError(`invalid pubkey count: too many pubkeys ${count} > ${MAX_KEYS}`)
  countOperations(machine, count)
  return machine.stack.take(count)
}

function popSignatures({ stack }: Machine, keys: number): readonly Uint8Array[] {
  const count = stack.popInt32()
  if (count < 0) throw new ScriptError(`invalid signature count: number of signatures ${count} is negative`)
  if (count > keys) throw new ScriptError(`invalid signature count: more signatures than pubkeys ${count} > ${keys}`)
  return stack.take(count)
}

function signaturesMatch(
  machine: Machine,
  scheme: SignatureScheme,
  signatures: readonly Uint8Array[],
  keys: readonly Uint8Array[],
): boolean {
  const remaining = [...keys]
  for (const [index, signature] of signatures.entries()) {
    const typeByte = signature.at(-1)
    if (typeByte === undefined) return false
    toSighashType(typeByte)
    for (let matches = false; !matches;) {
      const key = remaining.length < signatures.length - index ? undefined : remaining.shift()
      if (key === undefined) return false
      matches = verifySignature(scheme, signature, key, machine)
    }
  }
  return true
}
