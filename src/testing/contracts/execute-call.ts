import { blake2b256 } from '../../model/hashing.js'
import { fromHex, toHex } from '../../model/hex.js'
import { minimumFee } from '../../model/mass.js'
import { createTransaction, type Transaction, type TransactionOutput } from '../../model/transaction.js'
import type { ScriptPublicKey, UtxoEntry } from '../../model/utxo.js'
import { explainInput, hashedScripts, runInput } from '../../script/run-input.js'
import { budgetOf, MAX_UNITS } from '../../script/machine.js'
import { toSpendingContext, type SpendingContext } from '../../script/spending.js'
import { scriptViolation } from '../../script/verify.js'

/** The outcome of one spend of a contract, executed without a network. */
export interface CallRun<State = unknown> {
  readonly ok: boolean
  /** The entry that was called. */
  readonly entry: string
  /** The node's text of the refusal; undefined where the call is valid. */
  readonly reason: string | undefined
  /** Script units used; up to the failure where there is one. */
  readonly units: number
  /** The smallest compute budget of the input that covers them. */
  readonly budget: number
  /** The minimum relay fee of this spend alone, without inputs that fund it, in sompi. */
  readonly fee: bigint
  /** The states of its outputs, by their place; empty where the call ends the covenant. */
  readonly nextStates: readonly State[]
  /** Where it failed: script, position and opcode, and the stack before it, lowest first, in hex. */
  readonly failure: CallFailure | undefined
}

export interface CallFailure {
  readonly script: 'signature' | 'locking' | 'redeem'
  /** Offset of the opcode in that script, in bytes; undefined after its end. */
  readonly position?: number
  readonly opcode?: number
  readonly stack: readonly string[]
}

/** What a run spends, and how. */
export interface SpentContract {
  readonly scriptPublicKey: ScriptPublicKey
  readonly signatureScript: string
  readonly covenantId: string
  /** Sompi. */
  readonly value: bigint
  readonly lockTime: bigint
  readonly sequence: bigint
  readonly blockDaaScore: bigint
}

/** An output that continues a contract. */
export interface Continuation {
  /** Hex. */
  readonly redeemScript: string
  readonly value: bigint
  readonly isBound: boolean
}

/** Reads the state in a redeem script; undefined for those of other programs. */
type ReadState<State> = (redeemScript: string) => State | undefined

/** Signatures that are not made yet count by their keys. */
const RUN = { limit: MAX_UNITS, signatures: 'placeholders' } as const

const OUTPOINT = { transactionId: /*#__PURE__*/ '0'.repeat(64), index: 0 }

/** Executes a call with the outputs that it names, or else with those that its contract demands. */
export function executeCall<State>(
  entry: string,
  spent: SpentContract,
  named: readonly Continuation[] | undefined,
  readState: ReadState<State>,
): CallRun<State> {
  const attempts = named === undefined ? demandedBy(spent, readState) : [named]
  const runs = attempts.map((continuations) => run(entry, spent, continuations, readState))
  const chosen = runs.find(({ ok }) => ok) ?? runs.at(-1)
  return chosen ?? run(entry, spent, [], readState)
}

function run<State>(
  entry: string,
  spent: SpentContract,
  continuations: readonly Continuation[],
  readState: ReadState<State>,
): CallRun<State> {
  const context = contextOf(spent, continuations)
  const { units, failure } = runInput(context, 0, RUN)
  const states = continuations.map(({ redeemScript }) => readState(redeemScript))
  return {
    ok: failure === undefined,
    entry,
    reason: failure && scriptViolation(spent.signatureScript, failure),
    units,
    budget: budgetOf(units),
    fee: minimumFee(withBudget(context.transaction, budgetOf(units))),
    nextStates: failure === undefined ? states.filter((state) => state !== undefined) : [],
    failure: failure && explainInput(context, 0, RUN),
  }
}

/**
 * The outputs that a contract demands: it builds the next redeem script and hashes it, whatever output the transaction
 * has. Where it hashes no script of its program, it ends without an output, or it fails before: then with an output of
 * another script.
 */
function demandedBy<State>(spent: SpentContract, readState: ReadState<State>): readonly (readonly Continuation[])[] {
  const other = { redeemScript: '', value: spent.value, isBound: true }
  const hashed = hashedScripts(contextOf(spent, [other]), 0, RUN)
  const redeemScripts = hashed.filter((script) => readState(script) !== undefined)
  if (redeemScripts.length === 0) return [[], [other]]
  return [redeemScripts.map((redeemScript) => ({ ...other, redeemScript }))]
}

function contextOf(spent: SpentContract, continuations: readonly Continuation[]): SpendingContext {
  const { signatureScript, sequence, lockTime, covenantId } = spent
  const transaction = createTransaction({
    version: 1,
    inputs: [{ previousOutpoint: OUTPOINT, signatureScript, sequence, sigOpCount: 0, computeBudget: 0 }],
    outputs: continuations.map((continuation) => toOutput(continuation, covenantId)),
    lockTime,
  })
  return toSpendingContext(transaction, [toEntry(spent)])
}

const toEntry = ({ value, scriptPublicKey, covenantId, blockDaaScore }: SpentContract): UtxoEntry => ({
  outpoint: OUTPOINT,
  amount: value,
  scriptPublicKey,
  covenantId,
  blockDaaScore,
  isCoinbase: false,
})

const toOutput = ({ redeemScript, value, isBound }: Continuation, covenantId: string): TransactionOutput => ({
  value,
  scriptPublicKey: { version: 0, script: hashScript(redeemScript) },
  ...(isBound && { covenant: { authorizingInput: 0, covenantId } }),
})

const hashScript = (redeemScript: string): string => `aa20${toHex(blake2b256(fromHex(redeemScript)))}87`

const withBudget = (transaction: Transaction, computeBudget: number): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map((input) => ({ ...input, computeBudget })),
})
