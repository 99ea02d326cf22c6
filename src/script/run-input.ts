import { addressVersionOf } from '../model/address.js'
import { fromHex } from '../model/hex.js'
import { createMachine, type Machine, type MachineOptions, type ScriptLocation } from './machine.js'
import { runScript } from './run-script.js'
import { ScriptError } from './script-error.js'
import { ScriptUnits, unitLimit } from './script-units.js'
import type { Spending, SpendingContext } from './spending.js'
import { isTrue, MAX_ELEMENT_SIZE, Stack } from './stack.js'

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

export interface RunOptions extends MachineOptions {
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
