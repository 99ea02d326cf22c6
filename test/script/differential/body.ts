import { toHex } from '../../../src/model/hex.js'
import type { Choose } from './choose.js'
import { anyOperand, OPERANDS } from './operands.js'
import type { Spend } from './spend.js'
import { op, push } from './writing.js'

const OPCODES: readonly number[] = [...OPERANDS.keys()]
const NOT_EXECUTED = [0xa6, 0xd4]
const STACK_LIMIT = 244

/**
 * Up to eight fragments: an opcode with its operands, branches, pushes; some scripts are made to fail at one opcode.
 */
export function randomBody(choose: Choose, spend: Spend): string {
  if (choose.is(0.04)) return starved(choose, spend)
  if (choose.is(0.08)) return '51'.repeat(STACK_LIMIT) + op(choose.one(OPCODES))
  const fragments = Array.from({ length: 1 + choose.below(8) }, () => fragment(choose, spend))
  return fragments.join('') + (choose.is(0.01) ? choose.one(['4c', '4d01', '4e010203', '05aabb', '4c0311']) : '')
}

function fragment(choose: Choose, spend: Spend): string {
  const kind = choose.below(1000)
  if (kind < 60) return branches(choose, spend)
  if (kind < 80) return literal(choose)
  if (kind < 110) return anyOperand(choose, spend) + op(0x6b) + operation(choose, spend) + op(0x6c)
  if (kind < 118) return op(choose.one([0x50, 0x62, 0x65, 0x66, 0x80, 0x81, 0x89, 0x8a, 0x8d, 0x8e, 0x98, 0x99]))
  if (kind < 124) return randomOpcode(choose)
  if (kind < 136) return expensive(choose) + operation(choose, spend)
  if (kind < 142) return op(choose.one([0x63, 0x64, 0x67, 0x68, 0x6a, 0x6c]))
  return operation(choose, spend)
}

/** An opcode with its operands; in some cases one of them is something else, or missing. */
function operation(choose: Choose, spend: Spend): string {
  const opcode = choose.one(OPCODES)
  const operands = (OPERANDS.get(opcode) ?? []).map((operand) => operand(choose, spend))
  const at = choose.is(0.06) ? choose.below(operands.length) : -1
  if (at >= 0 && at < operands.length) operands[at] = choose.is(0.5) ? anyOperand(choose, spend) : ''
  return operands.join('') + op(opcode)
}

/** An opcode with fewer operands than it needs, and nothing else on the stack. */
function starved(choose: Choose, spend: Spend): string {
  const opcode = choose.one(OPCODES)
  const operands = OPERANDS.get(opcode) ?? []
  const given = operands.slice(0, choose.below(operands.length))
  return given.map((operand) => operand(choose, spend)).join('') + op(opcode)
}

function branches(choose: Choose, spend: Spend): string {
  const [first, second] = [operation(choose, spend), operation(choose, spend)]
  const otherwise = choose.is(0.7) ? op(0x67) + second : ''
  return choose.one(['51', '00', '0102']) + op(choose.one([0x63, 0x64])) + first + otherwise + op(0x68)
}

function literal(choose: Choose): string {
  const bytes = choose.bytes(choose.one([1, 2, 40, 75, 76, 200, 300]))
  const { length } = bytes
  const long = `4e${op(length & 0xff)}${op(length >> 8)}0000${toHex(bytes)}`
  return choose.one([push(bytes), long, op(0x4f), op(0x51 + choose.below(16))])
}

function randomOpcode(choose: Choose): string {
  const opcode = choose.below(256)
  return NOT_EXECUTED.includes(opcode) ? '' : op(opcode)
}

/** Uses up the free units: an element that doubles and is hashed. */
const expensive = (choose: Choose): string =>
  push(choose.bytes(32)) + `${op(0x76)}${op(0x7e)}`.repeat(7 + choose.below(2)) + op(choose.one([0xa8, 0xaa, 0xd9]))
