import { writeNumber } from '../model/script-number.js'
import { isPush, OP, readScript, type Instruction } from './instruction.js'
import { countOperations, isExecuting, type Machine, type ScriptName } from './machine.js'
import { OPERATIONS } from './operations/table.js'
import { ScriptError } from './script-error.js'

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
