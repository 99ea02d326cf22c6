import { fromHex, toHex } from '../../model/hex.js'
import { ZERO_HASH } from '../../model/hashing.js'
import { type Operation, type Operations, assertTrue, isExecuting, type Branch } from '../machine.js'
import { ScriptError, toIndex, type Stack, invalidState, isTrue } from '../stack.js'
import { type CovenantRelations, inputAt, outputAt, utxoAt } from '../spending.js'
import { ARITHMETIC, BYTES } from './values.js'
import { CRYPTO } from './crypto.js'
import { TRANSACTION } from './transaction.js'

const ID_SIZE = 32

/** The covenant relations of the transaction: by input, and by covenant id. */
const COVENANTS: Operations = {
  0xcb: ({ stack, spending }) => {
    const input = stack.popIndex()
    inputAt(spending, input)
    stack.pushNumber(BigInt(spending.covenants.authorizedBy(input).length))
  },
  0xcc: ({ stack, spending }) => {
    const [input = 0, position = 0] = stack.takeInt32s(2).map(toIndex)
    inputAt(spending, input)
    const outputs = spending.covenants.authorizedBy(input)
    const output = outputs[position]
    if (output === undefined)
      throw covenantsError(
        `${position} is not a valid covenant output index for input ${input} with ${outputs.length} authorized outputs`,
      )
    stack.pushNumber(BigInt(output))
  },
  0xcf: ({ stack, spending }) => stack.push(fromHex(utxoAt(spending, stack.popIndex()).covenantId ?? ZERO_HASH)),
  0xd0: count((covenants, id) => covenants.inputsOf(id)),
  0xd1: at('input', (covenants, id) => covenants.inputsOf(id)),
  0xd2: count((covenants, id) => covenants.outputsOf(id)),
  0xd3: at('output', (covenants, id) => covenants.outputsOf(id)),
  0xd5: ({ stack, spending }) =>
    stack.push(fromHex(outputAt(spending, stack.popIndex()).covenant?.covenantId ?? ZERO_HASH)),
  0xd6: ({ stack, spending }) =>
    stack.pushNumber(BigInt(outputAt(spending, stack.popIndex()).covenant?.authorizingInput ?? -1)),
}

type IndicesOf = (covenants: CovenantRelations, covenantId: string) => readonly number[]

/*#__NO_SIDE_EFFECTS__*/
function count(indicesOf: IndicesOf): Operation {
  return ({ stack, spending }) => stack.pushNumber(BigInt(indicesOf(spending.covenants, popCovenantId(stack)).length))
}

/*#__NO_SIDE_EFFECTS__*/
function at(what: 'input' | 'output', indicesOf: IndicesOf): Operation {
  return ({ stack, spending }) => {
    const position = stack.popIndex()
    const covenantId = popCovenantId(stack)
    const index = indicesOf(spending.covenants, covenantId)[position]
    if (index === undefined) throw covenantsError(`covenant id ${covenantId} ${what} ${position} is out of bounds`)
    stack.pushNumber(BigInt(index))
  }
}

/** The node words another length as that of a block hash. */
function popCovenantId(stack: Stack): string {
  const id = stack.pop()
  if (id.length !== ID_SIZE)
    throw new ScriptError(`blockhash must be exactly ${ID_SIZE} bytes long, got ${id.length} bytes instead`)
  return toHex(id)
}

const covenantsError = (reason: string): ScriptError => new ScriptError(`covenants error: ${reason}`)

/** Copies, moves and drops of elements. Copies are charged, moves are not. */
const STACK: Operations = {
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

/** Branches and the end of a script. */
const CONTROL: Operations = {
  0x61: () => undefined,
  0x63: (machine) => machine.branches.push(isExecuting(machine) ? toBranch(machine.stack.popBoolean()) : 'skipped'),
  0x64: (machine) => machine.branches.push(isExecuting(machine) ? toBranch(!machine.stack.popBoolean()) : 'skipped'),
  0x67: ({ branches }) => branches.push(invertBranch(popBranch(branches))),
  0x68: ({ branches }) => void popBranch(branches),
  0x69: ({ stack }) => assertTrue(stack.popBoolean()),
  0x6a: () => {
    throw new ScriptError('script returned early')
  },
}

const toBranch = (condition: boolean): Branch => (condition ? 'taken' : 'passed')

function popBranch(branches: Branch[]): Branch {
  const branch = branches.pop()
  if (branch === undefined) throw invalidState('condition stack empty')
  return branch
}

function invertBranch(branch: Branch): Branch {
  if (branch === 'skipped') return 'skipped'
  return branch === 'taken' ? 'passed' : 'taken'
}

/**
 * All opcodes but pushes and two that need what neither a page nor the simulated network has: `a6` verifies
 * zero-knowledge proofs, `d4` reads commitments of the chain.
 */
export const OPERATIONS: Operations = /*#__PURE__*/ (() => ({
  ...CONTROL,
  ...STACK,
  ...BYTES,
  ...ARITHMETIC,
  ...CRYPTO,
  ...TRANSACTION,
  ...COVENANTS,
}))()
