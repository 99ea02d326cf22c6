import { ScriptError } from './script-error.js'

/** An opcode and the data that it pushes. */
export interface Instruction {
  /** Offset of the opcode in its script, in bytes. */
  readonly position: number
  readonly opcode: number
  readonly data: Uint8Array
}

export const OP = {
  pushData1: 0x4c,
  pushData2: 0x4d,
  pushData4: 0x4e,
  negative1: 0x4f,
  one: 0x51,
  sixteen: 0x60,
  if: 0x63,
  notIf: 0x64,
  verIf: 0x65,
  verNotIf: 0x66,
  else: 0x67,
  endIf: 0x68,
  blake2b: 0xaa,
  checkMultiSigEcdsa: 0xa9,
  checkSigEcdsa: 0xab,
  checkSig: 0xac,
  checkSigVerify: 0xad,
  checkMultiSig: 0xae,
  checkMultiSigVerify: 0xaf,
  checkSigFromStack: 0xd7,
  checkSigFromStackEcdsa: 0xd8,
} as const

const NO_DATA = /*#__PURE__*/ new Uint8Array(0)

/** Parses a script lazily; throws `ScriptError` when it reaches a truncated push. */
export function* readScript(script: Uint8Array): Generator<Instruction> {
  let at = 0
  while (at < script.length) {
    const opcode = script[at] ?? 0
    const start = at + 1 + lengthBytes(opcode)
    const length = pushedLength(opcode, script.subarray(at + 1, start))
    const data = length === 0 ? NO_DATA : script.subarray(start, start + length)
    if (data.length < length)
      throw new ScriptError(`opcode requires ${length} bytes, but script only has ${data.length} remaining`)
    yield { position: at, opcode, data }
    at = start + length
  }
}

/** Whether an opcode only pushes data. Signature scripts allow no others. */
export const isPush = (opcode: number): boolean => opcode <= OP.sixteen

/** Number of bytes that encode the length of the pushed data. */
function lengthBytes(opcode: number): number {
  if (opcode === OP.pushData1) return 1
  if (opcode === OP.pushData2) return 2
  return opcode === OP.pushData4 ? 4 : 0
}

function pushedLength(opcode: number, length: Uint8Array): number {
  if (opcode < OP.pushData1) return opcode
  const expected = lengthBytes(opcode)
  if (length.length < expected)
    throw new ScriptError(
      `invalid opcode length: [${[...length].map((byte) => byte.toString(16).padStart(2, '0')).join(', ')}]`,
    )
  return length.reduceRight((value, byte) => value * 256 + byte, 0)
}
