import { blake2b256 } from '../../../src/model/hashing.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import { writeNumber } from '../../../src/model/script-number.js'

/** Scripts in hex. */

export const op = (opcode: number): string => opcode.toString(16).padStart(2, '0')

/** Pushes bytes by the shortest opcode that carries data. */
export function push(bytes: Uint8Array): string {
  const { length } = bytes
  if (length < 0x4c) return op(length) + toHex(bytes)
  if (length < 0x100) return `4c${op(length)}${toHex(bytes)}`
  return `4d${op(length & 0xff)}${op(length >> 8)}${toHex(bytes)}`
}

export const pushNumber = (value: bigint | number): string => push(writeNumber(BigInt(value)))

/** The locking script of the hash of a redeem script. */
export const scriptHash = (redeemScript: string): string => `aa20${toHex(blake2b256(fromHex(redeemScript)))}87`
