import { assertTrue, type Operation, type Operations } from '../machine.js'
import { toSizedNumber } from '../numbers.js'
import { invalidState, ScriptError } from '../script-error.js'
import { toIndex, type Stack } from '../stack.js'
import { substring } from '../substring.js'

const MAX_NUMBER_SIZE = 8

/** Operations on byte strings. */
export const BYTES: Operations = {
  0x7e: ({ stack }) => {
    const right = stack.popElement()
    const left = stack.popElement()
    const joined = new Uint8Array(left.length + right.length)
    joined.set(left)
    joined.set(right, left.length)
    stack.push(joined)
  },
  0x7f: ({ stack }) => {
    const range = stack.takeInt32s(2)
    const data = stack.popElement()
    const [start = 0, end = 0] = range.map(toIndex)
    stack.push(substring(data, start, end))
  },
  0x82: ({ stack }) => stack.peek(1).forEach(({ length }) => stack.pushNumber(BigInt(length))),
  0x83: ({ stack }) => stack.push(stack.popElement().map((byte) => ~byte)),
  0x84: bitwise('AND', (left, right) => left & right),
  0x85: bitwise('OR', (left, right) => left | right),
  0x86: bitwise('XOR', (left, right) => left ^ right),
  0x87: ({ stack }) => stack.pushBoolean(popEqual(stack)),
  0x88: ({ stack }) => assertTrue(popEqual(stack)),
  0xcd: ({ stack }) => {
    const size = stack.popIndex()
    if (size > MAX_NUMBER_SIZE)
      throw new ScriptError(
        `push encoding is not minimal: NUM2BIN target size ${size} exceeds ${MAX_NUMBER_SIZE} bytes`,
      )
    stack.push(toSizedNumber(stack.popNumber(), size))
  },
  0xce: ({ stack }) => stack.pushNumber(stack.popNumber()),
}

/*#__NO_SIDE_EFFECTS__*/
function bitwise(name: string, combine: (left: number, right: number) => number): Operation {
  return ({ stack }) => {
    const right = stack.popElement()
    const left = stack.popElement()
    if (left.length !== right.length) throw invalidState(`${name} operands must be of equal length`)
    stack.push(left.map((byte, index) => combine(byte, right[index] ?? 0)))
  }
}

function popEqual(stack: Stack): boolean {
  const [left, right] = stack.take(2)
  return left !== undefined && left.length === right?.length && left.every((byte, index) => byte === right[index])
}
