import { invalidArgument } from '../../errors/chain-error.js'
import { SOMPI_PER_KASPA } from '../../model/amount.js'
import { createTransaction, type Transaction, type TransactionOutput } from '../../model/transaction.js'
import { hashedScripts } from '../../script/run-input.js'
import { MAX_UNITS } from '../../script/machine.js'
import { toSpendingContext } from '../../script/spending.js'
import { isDelegate, type PreparedCall } from './prepare-calls.js'

/** Sompi that an output of a contract holds unless it is named: far above what its storage mass needs. */
export const CONTRACT_OUTPUT_AMOUNT: bigint = SOMPI_PER_KASPA

interface CallWithArguments extends PreparedCall {
  readonly args: unknown
}

/** A call with its place in the transaction. */
export interface PlacedCall extends CallWithArguments {
  /** The states of its outputs. */
  readonly states: readonly unknown[]
  /** In the order of the states. */
  readonly outputs: readonly TransactionOutput[]
}

/** The states of a contract that demands more outputs than these have to be named. */
const MAX_DEMANDED = 8

const RUN = { limit: MAX_UNITS, signatures: 'placeholders' } as const

/**
 * Fixes the positions of inputs and outputs, and the states that follow. Throws `ChainError` (`invalid-argument`) for
 * arguments that cannot be encoded.
 */
export function placeCalls(prepared: readonly PreparedCall[], lockTime: bigint): readonly PlacedCall[] {
  const placed: PlacedCall[] = []
  for (const one of prepared) placed.push(place(one, { input: placed.length, before: placed, all: prepared, lockTime }))
  return placed
}

/** Where a call is placed. */
interface Place {
  readonly input: number
  /** The calls of the inputs before it. */
  readonly before: readonly PlacedCall[]
  readonly all: readonly PreparedCall[]
  readonly lockTime: bigint
}

function place(one: PreparedCall, at: Place): PlacedCall {
  const { call } = one
  const { contract } = call.target
  const { input, before } = at
  const first = before.reduce((sum, { outputs }) => sum + outputs.length, 0)
  const expected = call.options.states?.length ?? 1
  const args = argumentsOf(one, { input, outputs: Array.from({ length: expected }, (_, next) => first + next) })
  contract.encodeCall(call.entry, args as never) // a wrong argument is reported by its own path
  const states = statesOf({ ...one, args }, at)
  if (typeof call.args === 'function' && states.length !== expected)
    throw invalidArgument(
      'args',
      `The call has ${states.length} outputs, and its arguments were computed for ${expected}`,
      'Name the states of its outputs: states.',
    )
  return { ...one, args, states, outputs: outputsOf(one, states, input) }
}

const argumentsOf = ({ call: { args } }: PreparedCall, layout: object): unknown =>
  typeof args === 'function' ? (args as (layout: object) => unknown)(layout) : args

/** Named by the caller, or by the arguments, or else what the contract demands. */
function statesOf(one: CallWithArguments, at: Place): readonly unknown[] {
  const { call, args } = one
  if (call.options.states !== undefined) return call.options.states
  if (isDelegate(call)) return []
  return call.target.contract.nextStates(call.entry, args as never) ?? demandedStates(one, at)
}

/**
 * The states whose redeem scripts a contract builds and hashes, whatever output it finds; none where it ends. Executed
 * again with each output that it demands, since it stops at the first one that is missing.
 */
function demandedStates(one: CallWithArguments, at: Place): readonly unknown[] {
  const { input, before } = at
  const { contract } = one.call.target
  const spent = at.all.map(({ utxo }) => utxo)
  let states: readonly unknown[] = []
  for (let round = 0; round < MAX_DEMANDED; round++) {
    const continued = states.length === 0 ? [unknownOutput(one, input)] : outputsOf(one, states, input)
    const outputs = [...before.flatMap((placed) => placed.outputs), ...continued]
    const transaction = skeleton(at, [...before, one], outputs)
    const hashed = hashedScripts(toSpendingContext(transaction, spent), input, RUN)
    const demanded = hashed.map((script) => contract.decodeState(script)).filter((state) => state !== undefined)
    if (demanded.length <= states.length) return states
    states = demanded
  }
  return states
}

/** A transaction as far as it is known. */
const skeleton = (
  { all, lockTime }: Place,
  known: readonly CallWithArguments[],
  outputs: readonly TransactionOutput[],
): Transaction =>
  createTransaction({
    version: 1,
    inputs: all.map(({ utxo, call: { options } }, at) => ({
      previousOutpoint: utxo.outpoint,
      signatureScript: scriptOf(known[at]),
      sequence: options.sequence ?? 0n,
      sigOpCount: 0,
      computeBudget: 0,
    })),
    outputs,
    lockTime,
  })

const scriptOf = (one: CallWithArguments | undefined): string =>
  one?.call.target.contract.signatureScript(one.state as never, one.call.entry, one.args as never) ?? ''

const unknownOutput = ({ utxo, call: { covenantId } }: PreparedCall, input: number): TransactionOutput => ({
  value: utxo.amount,
  scriptPublicKey: { version: 0, script: `aa20${'00'.repeat(32)}87` },
  covenant: { authorizingInput: input, covenantId },
})

/** The outputs of a contract that follow a call. */
function outputsOf(
  { call, utxo }: PreparedCall,
  states: readonly unknown[],
  authorizingInput: number,
): readonly TransactionOutput[] {
  const { covenantId, target, options } = call
  const valueOf = (at: number): bigint =>
    valueAt(options.value, at) ?? (at === 0 ? utxo.amount : CONTRACT_OUTPUT_AMOUNT)
  return states.map((state, at) => ({
    value: valueOf(at),
    scriptPublicKey: target.contract.scriptPublicKey(state as never),
    covenant: { authorizingInput, covenantId },
  }))
}

/** The amount of an output where it is named. Throws `ChainError` (`invalid-argument`). */
export function valueAt(value: bigint | readonly bigint[] | undefined, at: number): bigint | undefined {
  const named: unknown = typeof value === 'object' ? value[at] : value
  if (named === undefined) return undefined
  if (typeof named === 'bigint' && named > 0n) return named
  throw invalidArgument('value', '"value" must be an amount above zero, in sompi, as a bigint')
}
