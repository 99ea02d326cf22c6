import { fromHex, toHex } from '../../model/hex.js'
import { ZERO_HASH } from '../../model/hashing.js'
import type { Operation, Operations } from '../machine.js'
import { ScriptError } from '../script-error.js'
import type { CovenantRelations } from '../covenant-relations.js'
import { inputAt, outputAt, utxoAt } from '../spending-parts.js'
import { toIndex, type Stack } from '../stack.js'

const ID_SIZE = 32

/** The covenant relations of the transaction: by input, and by covenant id. */
export const COVENANTS: Operations = {
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
