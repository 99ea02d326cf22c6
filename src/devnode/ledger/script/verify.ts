import { addressVersionOf } from '../../../model/address.js'
import { fromHex } from '../../../model/hex.js'
import { sighashParts } from '../../../model/sighash.js'
import type { Transaction } from '../../../model/transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import { firstObjection, type Objection } from '../rules/objection.js'
import { createMachine, type Machine } from './machine.js'
import { runScript } from './run-script.js'
import { ScriptError } from './script-error.js'
import { ScriptUnits } from './script-units.js'
import type { Spending } from './spending.js'
import { Stack } from './stack.js'

/** What of a locking script is free of charge: a standard one's length. The rest costs a gram a byte. */
const STANDARD_SCRIPT_LENGTH = 35
const UNITS_PER_GRAM = 100

/** Whether every input may spend its coin: runs signature script and locking script of each. */
export function objectToScripts(transaction: Transaction, spent: readonly UtxoEntry[]): Objection {
  const parts = sighashParts(transaction)
  return firstObjection(
    transaction.inputs.map((input, index) => () => {
      const coin = spent[index]
      return coin && objectToScript({ transaction, index, input, spent, coin, parts })
    }),
  )
}

function objectToScript(spending: Spending): Objection {
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
  const { input, transaction, coin } = spending
  if (coin.scriptPublicKey.version > 0) return
  const units = new ScriptUnits(input, transaction.version)
  const machine = createMachine(spending, units)
  const lock = fromHex(coin.scriptPublicKey.script)
  units.charge(UNITS_PER_GRAM * Math.max(0, lock.length - STANDARD_SCRIPT_LENGTH))
  if (lock.length === 0 && input.signatureScript === '') throw falseResult()
  runScript(machine, fromHex(input.signatureScript), 'push-only')
  const satisfied = machine.stack.items().slice()
  runScript(machine, lock, 'any')
  if (addressVersionOf(coin.scriptPublicKey) === 'ScriptHash') runRedeemScript(machine, satisfied)
  demandSingleTruth(machine.stack)
}

/** The last push is the script that the lock is the hash of; it runs on what was pushed before it. */
function runRedeemScript(machine: Machine, satisfied: readonly Uint8Array[]): void {
  if (!machine.stack.popTruth()) throw falseResult()
  machine.stack = new Stack(satisfied)
  runScript(machine, machine.stack.pop(), 'any')
}

function demandSingleTruth(stack: Stack): void {
  if (stack.size > 1) throw new ScriptError(`stack contains ${String(stack.size - 1)} unexpected items`)
  if (stack.size === 0) throw new ScriptError('attempt to read from empty stack')
  if (!stack.popTruth()) throw falseResult()
}

const falseResult = (): ScriptError => new ScriptError('false stack entry at end of script execution')
