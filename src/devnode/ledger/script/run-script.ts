import { isPush, OP, readScript, type Instruction } from './instruction.js'
import { isExecuting, type Machine } from './machine.js'
import { OPERATIONS } from './operations.js'
import { ScriptError } from './script-error.js'
import { writeNumber } from './stack.js'

const MAX_STACK_SIZE = 244
const DISABLED = /*#__PURE__*/ new Set([0x80, 0x81, 0x8d, 0x8e, 0x98, 0x99])
const RESERVED = /*#__PURE__*/ new Set([0x50, 0x62, 0x89, 0x8a])
const LAST_KNOWN = 0xda

/** The allowed opcodes: a signature script must be push-only. */
export type ScriptKind = 'any' | 'push-only'

/** Executes a script; throws `ScriptError` on failure. */
export function runScript(machine: Machine, script: Uint8Array, kind: ScriptKind): void {
  for (const instruction of readScript(script)) {
    const { opcode } = instruction
    if (DISABLED.has(opcode)) throw new ScriptError(`attempt to execute disabled opcode ${describeOpcode(opcode)}`)
    if (opcode === OP.verIf || opcode === OP.verNotIf)
      throw new ScriptError(`attempt to execute reserved opcode ${describeOpcode(opcode)}`)
    if (kind === 'push-only' && !isPush(opcode)) throw new ScriptError('signature script is not push only')
    step(machine, instruction)
  }
  if (machine.branches.length > 0) throw new ScriptError('end of script reached in conditional execution')
  machine.altStack.take(machine.altStack.size)
}

function step(machine: Machine, instruction: Instruction): void {
  const { opcode } = instruction
  const isConditional = opcode >= OP.if && opcode <= OP.endIf
  if (!isConditional && !isExecuting(machine)) return
  execute(machine, instruction)
  machine.units.charge(machine.stack.takePushedBytes() + machine.altStack.takePushedBytes())
  const size = machine.stack.size + machine.altStack.size
  if (size > MAX_STACK_SIZE)
    throw new ScriptError(`combined stack size ${String(size)} > max allowed ${String(MAX_STACK_SIZE)}`)
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

/** For unassigned opcodes the node's message; for those that only the simulated network lacks, its own. */
function unsupported(opcode: number): ScriptError {
  if (opcode > LAST_KNOWN || opcode === 0xca)
    return new ScriptError(`attempt to execute invalid opcode ${describeOpcode(opcode)}`)
  return new ScriptError(`the simulated network does not execute opcode 0x${opcode.toString(16)}`)
}

const describeOpcode = (opcode: number): string => `Opcode<0x${opcode.toString(16)}>{ data:[] }`
