import { unsupportedOwner } from '../../errors/contract-errors.js'
import { UNNAMED_SCHEMES, witnessOf, type OwnedOutput, type OwnerFields } from '../../model/tokens/owner.js'
import type { TokenProgram, TokenState } from '../../model/tokens/token-program.js'
import { createTransaction } from '../../model/transaction.js'
import { runInput } from '../../script/run-input.js'
import { MAX_UNITS } from '../../script/machine.js'
import { toSpendingContext } from '../../script/spending.js'
import { transferArguments } from './transfer-calls.js'

const COVENANT_ID = /*#__PURE__*/ '11'.repeat(32)
const RUN = { limit: MAX_UNITS, signatures: 'placeholders' } as const

/**
 * Throws `ChainError` (`unsupported-owner`) where the program refuses to give an output to an owner and gives it to
 * others: nothing else names the owners that it supports. A program that refuses all of them says so by the transfer.
 */
export function requireSupported(program: TokenProgram, output: OwnedOutput, receiver: OwnerFields): void {
  const accepts = (scheme: number): boolean => execute(program, output, { ...output.state, owner_scheme: scheme })
  if (program.ownerSchemes !== undefined || typeof output.by !== 'string' || accepts(receiver.owner_scheme)) return
  const supported = UNNAMED_SCHEMES.filter(accepts)
  if (supported.length > 0) throw unsupportedOwner({ scheme: receiver.owner_scheme, supported })
}

/** Whether the program lets an owner replace an output by one other. */
function execute(program: TokenProgram, { by, outpoint, value, state }: OwnedOutput, next: TokenState): boolean {
  const { contract, transfer } = program
  const args = transferArguments(program, [next], witnessOf(by, state))
  const signatureScript = contract.signatureScript(state as never, transfer.entry, args as never)
  const covenant = { authorizingInput: 0, covenantId: COVENANT_ID }
  const transaction = createTransaction({
    version: 1,
    inputs: [{ previousOutpoint: outpoint, signatureScript, sequence: 0n, sigOpCount: 0, computeBudget: 0 }],
    outputs: [{ value, scriptPublicKey: contract.scriptPublicKey(next as never), covenant }],
  })
  const scriptPublicKey = contract.scriptPublicKey(state as never)
  const spent = { outpoint, amount: value, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false }
  const context = toSpendingContext(transaction, [{ ...spent, covenantId: COVENANT_ID }])
  return runInput(context, 0, RUN).failure === undefined
}
