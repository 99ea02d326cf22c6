import { fromHex } from '../model/hex.js'
import { isPush, OP, readScript, type Instruction } from './instruction.js'
import { ScriptError } from './script-error.js'
import { readNumber } from '../model/script-number.js'

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
