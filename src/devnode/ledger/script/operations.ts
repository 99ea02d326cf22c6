import { sha256 } from '@noble/hashes/sha2.js'
import { blake2b256 } from '../../../model/hashing.js'
import { isExecuting, type Branch, type Machine } from './machine.js'
import { checkMultiSignature } from './multi-signature.js'
import { ScriptError } from './script-error.js'
import { verifySignature, type SignatureScheme } from './signatures.js'
import { isTrue } from './stack.js'
import { checkLockTime, checkSequence } from './time-locks.js'

/**
 * Opcode implementations for payments, multi-signatures, hash locks and time locks. `runScript` handles pushes, and fails for the
 * other opcodes of a node (arithmetic, introspection, covenants, zero-knowledge).
 */
export const OPERATIONS: Readonly<Record<number, (machine: Machine) => void>> = {
  0x61: () => undefined,
  0x63: (machine) => machine.branches.push(isExecuting(machine) ? toBranch(machine.stack.popBoolean()) : 'skipped'),
  0x64: (machine) => machine.branches.push(isExecuting(machine) ? toBranch(!machine.stack.popBoolean()) : 'skipped'),
  0x67: ({ branches }) => branches.push(invertBranch(popBranch(branches))),
  0x68: ({ branches }) => void popBranch(branches),
  0x69: ({ stack }) => assertTrue(stack.popBoolean()),
  0x6a: () => {
    throw new ScriptError('script returned early')
  },
  0x6b: ({ stack, altStack }) => altStack.push(stack.pop()),
  0x6c: ({ stack, altStack }) => stack.push(popAlt(altStack.size > 0 ? altStack.pop() : undefined)),
  0x6d: ({ stack }) => void stack.take(2),
  0x6e: ({ stack }) => stack.peek(2).forEach((item) => stack.push(item)),
  0x73: ({ stack }) =>
    stack
      .peek(1)
      .filter(isTrue)
      .forEach((item) => stack.push(item)),
  0x74: ({ stack }) => stack.pushNumber(BigInt(stack.size)),
  0x75: ({ stack }) => void stack.pop(),
  0x76: ({ stack }) => stack.peek(1).forEach((item) => stack.push(item)),
  0x7b: ({ stack }) => rearrange(stack.take(3), [1, 2, 0], (item) => stack.pushLiteral(item)),
  0x7c: ({ stack }) => rearrange(stack.take(2), [1, 0], (item) => stack.pushLiteral(item)),
  0x82: ({ stack }) => stack.peek(1).forEach(({ length }) => stack.pushNumber(BigInt(length))),
  0x87: ({ stack }) => stack.pushBoolean(areEqual(stack.take(2))),
  0x88: ({ stack }) => assertTrue(areEqual(stack.take(2))),
  0xa8: (machine) => hash(machine, sha256, 1),
  0xa9: (machine) => checkMultiSignature(machine, 'ecdsa'),
  0xaa: (machine) => hash(machine, blake2b256, 2),
  0xab: (machine) => machine.stack.pushBoolean(checkSignature(machine, 'ecdsa')),
  0xac: (machine) => machine.stack.pushBoolean(checkSignature(machine, 'schnorr')),
  0xad: (machine) => assertTrue(checkSignature(machine, 'schnorr')),
  0xae: (machine) => checkMultiSignature(machine, 'schnorr'),
  0xaf: (machine) => {
    checkMultiSignature(machine, 'schnorr')
    assertTrue(machine.stack.popBoolean())
  },
  0xb0: ({ stack, spending }) => checkLockTime(stack.pop(), spending),
  0xb1: ({ stack, spending }) => checkSequence(stack.pop(), spending),
}

const toBranch = (condition: boolean): Branch => (condition ? 'taken' : 'passed')

function popBranch(branches: Branch[]): Branch {
  const branch = branches.pop()
  if (branch === undefined)
    throw new ScriptError('encountered invalid state while running script: condition stack empty')
  return branch
}

function invertBranch(branch: Branch): Branch {
  if (branch === 'skipped') return 'skipped'
  return branch === 'taken' ? 'passed' : 'taken'
}

function assertTrue(isMet: boolean): void {
  if (!isMet) throw new ScriptError('script ran, but verification failed')
}

function popAlt(item: Uint8Array | undefined): Uint8Array {
  if (item === undefined) throw new ScriptError('attempt to read from empty stack')
  return item
}

function rearrange(items: readonly Uint8Array[], order: readonly number[], push: (item: Uint8Array) => void): void {
  for (const index of order) push(items[index] ?? new Uint8Array(0))
}

function areEqual([left, right]: readonly Uint8Array[]): boolean {
  if (left === undefined || left.length !== right?.length) return false
  return left.every((byte, index) => byte === right[index])
}

function hash({ stack, units }: Machine, digest: (bytes: Uint8Array) => Uint8Array, unitsPerByte: number): void {
  const item = stack.pop()
  units.charge(unitsPerByte * item.length)
  stack.push(digest(item))
}

function checkSignature({ stack, spending, units }: Machine, scheme: SignatureScheme): boolean {
  const [signature = new Uint8Array(0), key = new Uint8Array(0)] = stack.take(2)
  return verifySignature(scheme, signature, key, spending, units)
}
