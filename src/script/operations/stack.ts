import type { Operations } from '../machine.js'
import { invalidState } from '../script-error.js'
import { isTrue, type Stack } from '../stack.js'

/** Copies, moves and drops of elements. Copies are charged, moves are not. */
export const STACK: Operations = {
  0x6b: ({ stack, altStack }) => altStack.pushLiteral(stack.pop()),
  0x6c: ({ stack, altStack }) => stack.pushLiteral(altStack.popElement()),
  0x6d: ({ stack }) => void stack.take(2),
  0x6e: ({ stack }) => copy(stack, 2),
  0x6f: ({ stack }) => copy(stack, 3),
  0x70: ({ stack }) => copy(stack, 4, 2),
  0x71: ({ stack }) => stack.rotate(6, 2),
  0x72: ({ stack }) => stack.rotate(4, 2),
  0x73: ({ stack }) =>
    stack
      .peek(1)
      .filter(isTrue)
      .forEach((item) => stack.push(item)),
  0x74: ({ stack }) => stack.pushNumber(BigInt(stack.size)),
  0x75: ({ stack }) => void stack.take(1),
  0x76: ({ stack }) => copy(stack, 1),
  0x77: ({ stack }) => {
    const [, top = EMPTY] = stack.take(2)
    stack.pushLiteral(top)
  },
  0x78: ({ stack }) => copy(stack, 2, 1),
  0x79: ({ stack }) => copy(stack, 1 + popLocation(stack, 'pick'), 1),
  0x7a: ({ stack }) => stack.rotate(1 + popLocation(stack, 'roll'), 1),
  0x7b: ({ stack }) => stack.rotate(3, 1),
  0x7c: ({ stack }) => stack.rotate(2, 1),
  0x7d: ({ stack }) => {
    const [, top = EMPTY] = stack.peek(2)
    stack.insert(top, 2)
  },
}

const EMPTY = /*#__PURE__*/ new Uint8Array(0)

/** Copies the lowest `count` of the top `depth` elements to the top. */
function copy(stack: Stack, depth: number, count = depth): void {
  for (const item of stack.peek(depth).slice(0, count)) stack.push(item)
}

function popLocation(stack: Stack, name: 'pick' | 'roll'): number {
  const location = stack.popInt32()
  if (location < 0 || location >= stack.size) throw invalidState(`${name} at an invalid location`)
  return location
}
