import { writeNumber, readNumber } from '../model/script-number.js'
import { countOperations, isExecuting, type Machine, type ScriptName } from './machine.js'
import { OPERATIONS } from './operations/table.js'
import { ScriptError } from './stack.js'
import { fromHex } from '../model/hex.js'

const MAX_STACK_SIZE = 244
const DISABLED = /*#__PURE__*/ new Set([0x80, 0x81, 0x8d, 0x8e, 0x98, 0x99])
const RESERVED = /*#__PURE__*/ new Set([0x50, 0x62, 0x89, 0x8a])
/** Opcodes of the node that are not executed here: they need proofs or the chain. */
const NOT_EXECUTED = /*#__PURE__*/ new Set([0xa6, 0xd4])

/** Executes a script; throws `ScriptError` on failure. A signature script must be push-only. */
export function runScript(machine: Machine, name: ScriptName, script: Uint8Array): void {
  machine.operations = 0
  machine.at = { script: name }
  for (const instruction of readScript(script)) {
    machine.at = { script: name, position: instruction.position, opcode: instruction.opcode }
    assertAllowed(instruction.opcode, name)
    step(machine, instruction)
  }
  machine.at = { script: name }
  if (machine.branches.length > 0) throw new ScriptError('end of script reached in conditional execution')
  machine.altStack.take(machine.altStack.size)
}

/** Rules that hold in branches that do not execute, too. */
function assertAllowed(opcode: number, name: ScriptName): void {
  if (DISABLED.has(opcode)) throw new ScriptError(`attempt to execute disabled opcode ${describeOpcode(opcode)}`)
  if (opcode === OP.verIf || opcode === OP.verNotIf)
    throw new ScriptError(`attempt to execute reserved opcode ${describeOpcode(opcode)}`)
  if (name === 'signature' && !isPush(opcode)) throw new ScriptError('signature script is not push only')
}

function step(machine: Machine, instruction: Instruction): void {
  const { opcode } = instruction
  machine.onStep(machine)
  if (!isPush(opcode)) countOperations(machine, 1)
  const isConditional = opcode >= OP.if && opcode <= OP.endIf
  if (isConditional || isExecuting(machine)) {
    execute(machine, instruction)
    machine.units.charge(machine.stack.takePushedBytes() + machine.altStack.takePushedBytes())
  }
  const size = machine.stack.size + machine.altStack.size
  if (size > MAX_STACK_SIZE) throw new ScriptError(`combined stack size ${size} > max allowed ${MAX_STACK_SIZE}`)
}

function execute(machine: Machine, { opcode, data }: Instruction): void {
  if (RESERVED.has(opcode)) throw new ScriptError(`attempt to execute reserved opcode ${describeOpcode(opcode)}`)
  if (opcode <= OP.pushData4) {
    machine.stack.pushLiteral(data)
    return
  }
  if (isPush(opcode)) {
    machine.stack.pushLiteral(writeNumber(opcode === OP.negative1 ? -1n : BigInt(opcode - OP.one + 1)))
    return
  }
  const operation = OPERATIONS[opcode]
  if (operation === undefined) throw unsupported(opcode)
  operation(machine)
}

/** For unassigned opcodes the node's message; for those that only this machine lacks, its own. */
function unsupported(opcode: number): ScriptError {
  return NOT_EXECUTED.has(opcode)
    ? new ScriptError(`the simulated network does not execute opcode 0x${opcode.toString(16)}`)
    : new ScriptError(`attempt to execute invalid opcode ${describeOpcode(opcode)}`)
}

const describeOpcode = (opcode: number): string => `Opcode<0x${opcode.toString(16)}>{ data:[] }`

/** An opcode and the data that it pushes. */
interface Instruction {
  /** Offset of the opcode in its script, in bytes. */
  readonly position: number
  readonly opcode: number
  readonly data: Uint8Array
}

const OP = {
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
function* readScript(script: Uint8Array): Generator<Instruction> {
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
const isPush = (opcode: number): boolean => opcode <= OP.sixteen

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

const SINGLE = /*#__PURE__*/ (() =>
  new Set<number>([
    OP.checkSig,
    OP.checkSigVerify,
    OP.checkSigEcdsa,
    OP.checkSigFromStack,
    OP.checkSigFromStackEcdsa,
  ]))()
const MULTI = /*#__PURE__*/ (() => new Set<number>([OP.checkMultiSig, OP.checkMultiSigVerify, OP.checkMultiSigEcdsa]))()
const MAX_KEYS = 20

/**
 * Signature operations of the redeem script at the end of a signature script, counted as the node's standardness rule
 * does: a multi-signature counts as the number of keys pushed before it, else as 20. An unparsable script counts as 0.
 */
export function countSignatureOperations(signatureScript: string): number {
  try {
    const redeemScript = [...readScript(fromHex(signatureScript))].at(-1)?.data ?? new Uint8Array(0)
    return count([...readScript(redeemScript)])
  } catch (error) {
    if (error instanceof ScriptError) return 0
    throw error
  }
}

function count(instructions: readonly Instruction[]): number {
  return instructions.reduce((sum, { opcode }, index) => {
    if (SINGLE.has(opcode)) return sum + 1
    return MULTI.has(opcode) ? sum + (keyCount(instructions[index - 1]) ?? MAX_KEYS) : sum
  }, 0)
}

function keyCount(pushed: Instruction | undefined): number | undefined {
  if (pushed === undefined || !isPush(pushed.opcode)) return undefined
  if (pushed.opcode >= OP.one) return pushed.opcode - OP.one + 1
  const number = pushed.opcode <= OP.pushData4 && pushed.data.length <= 8 ? Number(readNumber(pushed.data)) : 0
  return number >= 1 && number <= MAX_KEYS ? number : undefined
}
