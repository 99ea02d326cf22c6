import { addressVersionOf } from '../model/address.js'
import { fromHex, toHex } from '../model/hex.js'
import {
  createMachine,
  type Machine,
  type MachineOptions,
  type ScriptLocation,
  ScriptUnits,
  unitLimit,
} from './machine.js'
import { runScript } from './run-script.js'
import { ScriptError, isTrue, MAX_ELEMENT_SIZE, Stack } from './stack.js'
import type { Spending, SpendingContext } from './spending.js'

/** The execution of the scripts of one input. */
export interface ScriptRun {
  /** Script units used, up to the failure where there is one, the refused charge included. */
  readonly units: number
  /** Undefined where the scripts succeed. */
  readonly failure?: ScriptFailure
}

/** Why and where a script failed. */
export interface ScriptFailure extends ScriptLocation {
  /** The node's text, without the words that it puts in front. */
  readonly reason: string
}

interface RunOptions extends MachineOptions {
  /** Script units that the input may use. Default: what its signature operations or its compute budget commit to. */
  readonly limit?: number
}

/** Bytes of a locking script without charge; each further byte costs one gram. */
const STANDARD_SCRIPT_LENGTH = 35
const UNITS_PER_GRAM = 100

/** Executes the signature script and the locking script of input `index`, and the redeem script of a script hash. */
export function runInput(context: SpendingContext, index: number, options: RunOptions = {}): ScriptRun {
  const input = context.transaction.inputs[index]
  const utxo = context.spent[index]
  if (input === undefined || utxo === undefined) throw new RangeError(`There is no input ${index} with a spent output`)
  const units = new ScriptUnits(options.limit ?? unitLimit(input, context.transaction.version))
  const machine = createMachine({ ...context, index, input, utxo }, units, options)
  try {
    run(machine)
    return { units: units.used }
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error
    return { units: units.used, failure: { reason: error.message, ...machine.at } }
  }
}

function run(machine: Machine): void {
  const { input, utxo }: Spending = machine.spending
  if (utxo.scriptPublicKey.version > 0) return
  const signatureScript = fromHex(input.signatureScript)
  const lockingScript = fromHex(utxo.scriptPublicKey.script)
  machine.units.charge(UNITS_PER_GRAM * Math.max(0, lockingScript.length - STANDARD_SCRIPT_LENGTH))
  if (lockingScript.length === 0 && signatureScript.length === 0) throw falseResult()
  for (const { length } of [signatureScript, lockingScript]) assertScriptSize(length)
  runScript(machine, 'signature', signatureScript)
  const redeemStack = machine.stack.items().slice()
  runScript(machine, 'locking', lockingScript)
  if (addressVersionOf(utxo.scriptPublicKey) === 'ScriptHash') runRedeemScript(machine, redeemStack)
  assertSingleTrue(machine.stack)
}

function assertScriptSize(size: number): void {
  if (size > MAX_ELEMENT_SIZE)
    throw new ScriptError(`script of size ${size} exceeded maximum allowed size of ${MAX_ELEMENT_SIZE}`)
}

/** The last push is the redeem script that matches the script hash; it runs on the pushes before it. */
function runRedeemScript(machine: Machine, redeemStack: readonly Uint8Array[]): void {
  if (!machine.stack.popBoolean()) throw falseResult()
  machine.stack = new Stack(redeemStack)
  runScript(machine, 'redeem', machine.stack.popElement())
}

function assertSingleTrue(stack: Stack): void {
  if (stack.size > 1) throw new ScriptError(`stack contains ${stack.size - 1} unexpected items`)
  if (!isTrue(stack.popElement())) throw falseResult()
}

const falseResult = (): ScriptError => new ScriptError('false stack entry at end of script execution')

/**
 * What the redeem script of an input hashes, in hex, in its order. A contract that checks its continuation builds the
 * redeem scripts of the next states and compares their hashes with the outputs.
 */
export function hashedScripts(context: SpendingContext, input: number, options: RunOptions = {}): readonly string[] {
  const hashed: string[] = []
  runInput(context, input, {
    ...options,
    onHash: (preimage, { script }) => {
      if (script === 'redeem') hashed.push(toHex(preimage))
    },
  })
  return hashed
}

/** Where a script stopped, and on what. */
interface ScriptExplanation extends ScriptFailure {
  readonly input: number
  /** Script units used, the refused charge included. */
  readonly units: number
  /** The elements before the failing instruction, lowest first, in hex. */
  readonly stack: readonly string[]
  readonly altStack: readonly string[]
}

/** Executes an input and finds where it fails; undefined where it does not. */
export function explainInput(
  context: SpendingContext,
  input: number,
  options: Omit<RunOptions, keyof Pick<MachineOptions, 'onStep'>> = {},
): ScriptExplanation | undefined {
  let stacks: Pick<ScriptExplanation, 'stack' | 'altStack'> = { stack: [], altStack: [] }
  const { units, failure }: ScriptRun = runInput(context, input, {
    ...options,
    onStep: ({ stack, altStack }) => {
      stacks = { stack: stack.items().map(toHex), altStack: altStack.items().map(toHex) }
    },
  })
  return failure && { input, units, ...failure, ...stacks }
}
