import { assertTrue, type Operation, type Operations } from '../machine.js'
import { invalidState, ScriptError, toSizedNumber, toIndex, type Stack, substring } from '../stack.js'

/** Operations on numbers of 64 bits with a sign. */
export const ARITHMETIC: Operations = {
  0x8b: unary((value) => inRange(value + 1n, 'Result of addition')),
  0x8c: unary((value) => inRange(value - 1n, 'Result of subtraction')),
  0x8f: unary((value) => -value),
  0x90: unary((value) => (value < 0n ? -value : value)),
  0x91: unary((value) => toNumber(value === 0n)),
  0x92: unary((value) => toNumber(value !== 0n)),
  0x93: binary((left, right) => inRange(left + right, 'Sum')),
  0x94: binary((left, right) => inRange(left - right, 'Difference')),
  0x95: binary((left, right) => inRange(left * right, 'Product')),
  0x96: binary((left, right) => {
    if (right === 0n)
      throw invalidState('Quotient exceeds 64-bit signed integer range, or there was a division by zero')
    return left / right
  }),
  0x97: binary((left, right) => {
    if (right === 0n) throw invalidState('Illegal modulo by zero')
    return left % right
  }),
  0x9a: binary((left, right) => toNumber(left !== 0n && right !== 0n)),
  0x9b: binary((left, right) => toNumber(left !== 0n || right !== 0n)),
  0x9c: binary((left, right) => toNumber(left === right)),
  0x9d: ({ stack }) => {
    const [left, right] = stack.takeNumbers(2)
    assertTrue(left === right)
  },
  0x9e: binary((left, right) => toNumber(left !== right)),
  0x9f: binary((left, right) => toNumber(left < right)),
  0xa0: binary((left, right) => toNumber(left > right)),
  0xa1: binary((left, right) => toNumber(left <= right)),
  0xa2: binary((left, right) => toNumber(left >= right)),
  0xa3: binary((left, right) => (left < right ? left : right)),
  0xa4: binary((left, right) => (left > right ? left : right)),
  0xa5: ({ stack }) => {
    const [value = 0n, from = 0n, to = 0n] = stack.takeNumbers(3)
    stack.pushBoolean(value >= from && value < to)
  },
}

/*#__NO_SIDE_EFFECTS__*/
function unary(calculate: (value: bigint) => bigint): Operation {
  return ({ stack }) => stack.pushNumber(calculate(stack.popNumber()))
}

/*#__NO_SIDE_EFFECTS__*/
function binary(calculate: (left: bigint, right: bigint) => bigint): Operation {
  return ({ stack }) => {
    const [left = 0n, right = 0n] = stack.takeNumbers(2)
    stack.pushNumber(calculate(left, right))
  }
}

/** Operands are within ±(2^63 − 1): only sums and products can leave the range. */
function inRange(value: bigint, what: string): bigint {
  if (BigInt.asIntN(64, value) === value) return value
  throw new ScriptError(`Number too big: ${what} exceeds 64-bit signed integer range`)
}

const toNumber = (condition: boolean): bigint => (condition ? 1n : 0n)

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
