import { addressVersionOf } from '../../../model/address.js'
import { fromHex } from '../../../model/hex.js'
import { sighashParts } from '../../../model/sighash.js'
import type { Transaction } from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { firstViolation, type Violation } from '../../../model/transaction-rules/violation.js'
import { createMachine, type Machine } from './machine.js'
import { runScript } from './run-script.js'
import { ScriptError } from './script-error.js'
import { ScriptUnits } from './script-units.js'
import type { Spending } from './spending.js'
import { Stack } from './stack.js'

/** Bytes of a locking script without charge; each further byte costs one gram. */
const STANDARD_SCRIPT_LENGTH = 35
const UNITS_PER_GRAM = 100

/** Executes the signature script and the locking script of every input. */
export function validateScripts(transaction: Transaction, spent: readonly UtxoEntry[]): Violation {
  const parts = sighashParts(transaction)
  return firstViolation(
    transaction.inputs.map((input, index) => () => {
      const utxo = spent[index]
      return utxo && validateScript({ transaction, index, input, spent, utxo, parts })
    }),
  )
}

function validateScript(spending: Spending): Violation {
  const isEmpty = spending.input.signatureScript === ''
  try {
    run(spending)
    return undefined
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error
    return isEmpty
      ? `failed to verify empty signature script. Inner error: ${error.message}`
      : `failed to verify the signature script: ${error.message}`
  }
}

function run(spending: Spending): void {
  const { input, transaction, utxo } = spending
  if (utxo.scriptPublicKey.version > 0) return
  const units = new ScriptUnits(input, transaction.version)
  const machine = createMachine(spending, units)
  const lockingScript = fromHex(utxo.scriptPublicKey.script)
  units.charge(UNITS_PER_GRAM * Math.max(0, lockingScript.length - STANDARD_SCRIPT_LENGTH))
  if (lockingScript.length === 0 && input.signatureScript === '') throw falseResult()
  runScript(machine, fromHex(input.signatureScript), 'push-only')
  const redeemStack = machine.stack.items().slice()
  runScript(machine, lockingScript, 'any')
  if (addressVersionOf(utxo.scriptPublicKey) === 'ScriptHash') runRedeemScript(machine, redeemStack)
  assertSingleTrue(machine.stack)
}

/** The last push is the redeem script that matches the script hash; it runs on the pushes before it. */
function runRedeemScript(machine: Machine, redeemStack: readonly Uint8Array[]): void {
  if (!machine.stack.popBoolean()) throw falseResult()
  machine.stack = new Stack(redeemStack)
  runScript(machine, machine.stack.pop(), 'any')
}

function assertSingleTrue(stack: Stack): void {
  if (stack.size > 1) throw new ScriptError(`stack contains ${String(stack.size - 1)} unexpected items`)
  if (stack.size === 0) throw new ScriptError('attempt to read from empty stack')
  if (!stack.popBoolean()) throw falseResult()
}

const falseResult = (): ScriptError => new ScriptError('false stack entry at end of script execution')
