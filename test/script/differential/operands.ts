import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import type { Choose } from './choose.js'
import type { Spend } from './spend.js'
import { fromHex } from '../../../src/model/hex.js'
import { push, pushNumber } from './writing.js'

/** Pushes the operands that an opcode expects. */
type Operands = (choose: Choose, spend: Spend) => string

const NUMBERS = [
  0n,
  1n,
  -1n,
  2n,
  5n,
  16n,
  17n,
  127n,
  128n,
  -128n,
  255n,
  256n,
  32_767n,
  -32_768n,
  2n ** 31n - 1n,
  -(2n ** 31n),
]
const LARGE = [2n ** 31n, 2n ** 40n, 2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n - 1n), 3_037_000_500n, -(2n ** 32n)]
export const KEY: Uint8Array<ArrayBuffer> = /*#__PURE__*/ new Uint8Array(32).fill(0x33)

const any: Operands = (choose) => push(choose.bytes(choose.one([0, 1, 1, 2, 4, 5, 8, 9, 20, 32, 33, 64, 80])))
const number: Operands = (choose) => {
  if (choose.is(0.1)) return push(choose.bytes(choose.below(9)))
  return pushNumber(choose.one(choose.is(0.25) ? LARGE : NUMBERS))
}
const small: Operands = (choose) => pushNumber(choose.below(choose.is(0.9) ? 4 : 40))
const condition: Operands = (choose) => choose.one(['51', '51', '51', '0101', '00', '0180', '020001'])
const digest: Operands = (choose) => push(choose.bytes(choose.is(0.95) ? 32 : choose.below(40)))
const covenantId: Operands = (choose, { spent, transaction }) => {
  const bindings = transaction.outputs.map(({ covenant }) => covenant?.covenantId)
  const ids = [...spent.map((utxo) => utxo.covenantId), ...bindings].filter((id) => id !== undefined)
  return ids.length === 0 || choose.is(0.2) ? digest(choose, { spent, transaction }) : push(fromHex(choose.one(ids)))
}
const input: Operands = (choose, { spent }) => pushNumber(choose.below(spent.length + (choose.is(0.1) ? 3 : 0)))
const output: Operands = (choose, { transaction }) =>
  pushNumber(choose.below(Math.max(1, transaction.outputs.length) + (choose.is(0.1) ? 3 : 0)))
const range: Operands = (choose) => {
  const start = choose.below(choose.is(0.9) ? 3 : 30)
  return pushNumber(start) + pushNumber(start + choose.below(choose.is(0.9) ? 4 : 60) - (choose.is(0.05) ? 2 : 0))
}
const alike: Operands = (choose) => {
  const length = choose.below(12)
  return push(choose.bytes(length)) + push(choose.bytes(choose.is(0.9) ? length : length + 1))
}
const equal: Operands = (choose) => {
  const bytes = push(choose.bytes(choose.below(40)))
  return bytes + (choose.is(0.9) ? bytes : push(choose.bytes(3)))
}
const sameNumber: Operands = (choose, spend) => {
  const value = number(choose, spend)
  return value + (choose.is(0.9) ? value : number(choose, spend))
}
const lockTime: Operands = (choose, { transaction }) =>
  choose.is(0.7) ? push(unsigned(transaction.lockTime)) : number(choose, { transaction, spent: [] })
const sequence: Operands = (choose, { transaction }) =>
  choose.is(0.7) ? push(unsigned(transaction.inputs[0]!.sequence)) : number(choose, { transaction, spent: [] })
const schnorrOverDigest: Operands = (choose) => {
  const message = choose.bytes(32)
  const signature = schnorr.sign(message, KEY, new Uint8Array(32))
  return damaged(choose, [signature, message, schnorr.getPublicKey(KEY)])
}
const ecdsaOverDigest: Operands = (choose) => {
  const message = choose.bytes(32)
  const signature = secp256k1.sign(message, KEY, { prehash: false, format: 'compact' })
  return damaged(choose, [signature, message, secp256k1.getPublicKey(KEY, true)])
}
const emptySignature: (key: number) => Operands = (key) => (choose) =>
  choose.is(0.8) ? `00${push(choose.bytes(key))}` : push(choose.bytes(65)) + push(choose.bytes(key))
const emptySignatures: Operands = (choose) => {
  const keys = choose.below(4)
  const count = choose.below(keys + 1)
  return '00'.repeat(count) + pushNumber(count) + keyPushes(choose, keys) + pushNumber(keys)
}
const keyedHash: Operands = (choose, spend) => any(choose, spend) + push(choose.bytes(choose.one([0, 1, 32, 64, 65])))
const keyed32: Operands = (choose, spend) => any(choose, spend) + push(choose.bytes(choose.is(0.85) ? 32 : 31))
const numberAndSize: Operands = (choose, spend) =>
  number(choose, spend) + pushNumber(choose.below(choose.is(0.9) ? 9 : 12))

/** Keys below signatures' counts, which come after their signatures. */
const keyPushes = (choose: Choose, count: number): string =>
  Array.from({ length: count }, () => push(choose.bytes(32))).join('')

function unsigned(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** Pushes them, one of them damaged or of another length in some cases. */
function damaged(choose: Choose, parts: readonly Uint8Array[]): string {
  const at = choose.is(0.3) ? choose.below(parts.length) : -1
  return parts
    .map((part, index) => {
      if (index !== at) return push(part)
      return push(choose.is(0.5) ? part.subarray(1) : part.map((byte, position) => (position === 5 ? byte ^ 1 : byte)))
    })
    .join('')
}

const repeat = (count: number, operand: Operands): readonly Operands[] => Array.from({ length: count }, () => operand)
const each = (
  opcodes: readonly number[],
  ...operands: readonly Operands[]
): readonly (readonly [number, readonly Operands[]])[] => opcodes.map((opcode) => [opcode, operands])

/** What each opcode expects, lowest first. Those that are missing need nothing. */
export const OPERANDS: ReadonlyMap<number, readonly Operands[]> = new Map([
  ...each([0x61, 0x74, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb9, 0xc4]),
  ...each([0x69], condition),
  ...each([0x6b, 0x73, 0x75, 0x76, 0x82, 0x83, 0xa8, 0xaa, 0xd9], any),
  ...each([0x6d, 0x6e, 0x77, 0x78, 0x7c, 0x7d, 0x7e], ...repeat(2, any)),
  ...each([0x6f, 0x7b], ...repeat(3, any)),
  ...each([0x70, 0x72], ...repeat(4, any)),
  ...each([0x71], ...repeat(6, any)),
  ...each([0x79, 0x7a], ...repeat(4, any), small),
  ...each([0x7f], (choose) => push(choose.bytes(8)), range),
  ...each([0x84, 0x85, 0x86], alike),
  ...each([0x87, 0x88], equal),
  ...each([0x8b, 0x8c, 0x8f, 0x90, 0x91, 0x92, 0xce], number),
  ...each(
    [0x93, 0x94, 0x95, 0x96, 0x97, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4],
    ...repeat(2, number),
  ),
  ...each([0x9d], sameNumber),
  ...each([0xa5], ...repeat(3, number)),
  ...each([0xa7], keyedHash),
  ...each([0xda], keyed32),
  ...each([0xab], emptySignature(33)),
  ...each([0xac, 0xad], emptySignature(32)),
  ...each([0xa9, 0xae, 0xaf], emptySignatures),
  ...each([0xb0], lockTime),
  ...each([0xb1], sequence),
  ...each([0xb8], range),
  ...each([0xba, 0xbb, 0xbd, 0xbe, 0xbf, 0xc0, 0xc1, 0xc5, 0xc9, 0xcb, 0xcf], input),
  ...each([0xbc, 0xc6], input, range),
  ...each([0xc2, 0xc3, 0xc7, 0xd5, 0xd6], output),
  ...each([0xc8], output, range),
  ...each([0xcc], input, small),
  ...each([0xcd], numberAndSize),
  ...each([0xd0, 0xd2], covenantId),
  ...each([0xd1, 0xd3], covenantId, small),
  ...each([0xd7], schnorrOverDigest),
  ...each([0xd8], ecdsaOverDigest),
])

export const anyOperand = any
