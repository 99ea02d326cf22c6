import { fromHex } from '../../model/hex.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import type { Machine, Operation, Operations } from '../machine.js'
import { ScriptError, toIndex, substring, formatBytes } from '../stack.js'
import { type Spending, inputAt, outputAt, utxoAt } from '../spending.js'
import {
  LOCK_TIME_THRESHOLD,
  MAX_SEQUENCE,
  SEQUENCE_LOCK_DISABLED,
  SEQUENCE_LOCK_MASK,
} from '../../model/transaction.js'

/** Lock times, and the fields of the transaction, its inputs, the outputs that it spends and its own outputs. */
export const TRANSACTION: Operations = {
  0xb0: ({ stack, spending }) => checkLockTime(stack.pop(), spending),
  0xb1: ({ stack, spending }) => checkSequence(stack.pop(), spending),
  0xb2: number(({ transaction }) => transaction.version),
  0xb3: number(({ transaction }) => transaction.inputs.length),
  0xb4: number(({ transaction }) => transaction.outputs.length),
  0xb5: number(({ transaction }) => toSigned(transaction.lockTime)),
  0xb6: ({ stack, spending }) => stack.push(fromHex(spending.transaction.subnetworkId)),
  0xb7: number(({ transaction }) => toSigned(transaction.gas)),
  0xb8: (machine) => {
    const [start = 0, end = 0] = machine.stack.takeInt32s(2).map(toIndex)
    machine.stack.push(substring(fromHex(machine.spending.transaction.payload), start, end))
  },
  0xb9: number(({ index }) => index),
  0xba: ({ stack, spending }) =>
    stack.push(fromHex(inputAt(spending, stack.popIndex()).previousOutpoint.transactionId)),
  0xbb: numberAt((spending, index) => inputAt(spending, index).previousOutpoint.index),
  0xbc: substringAt((spending, index) => fromHex(inputAt(spending, index).signatureScript)),
  0xbd: ({ stack, spending }) => stack.push(toBytes(inputAt(spending, stack.popIndex()).sequence)),
  0xbe: ({ stack, spending }) => stack.pushNumber(toInt64(utxoAt(spending, stack.popInt32()).amount)),
  0xbf: ({ stack, spending }) => stack.push(scriptBytes(utxoAt(spending, stack.popInt32()).scriptPublicKey)),
  0xc0: numberAt((spending, index) => toSigned(utxoAt(spending, index).blockDaaScore)),
  0xc1: numberAt((spending, index) => (utxoAt(spending, index).isCoinbase ? 1 : 0)),
  0xc2: ({ stack, spending }) => stack.pushNumber(toInt64(outputAt(spending, stack.popInt32()).value)),
  0xc3: ({ stack, spending }) => stack.push(scriptBytes(outputAt(spending, stack.popInt32()).scriptPublicKey)),
  0xc4: number(({ transaction }) => transaction.payload.length / 2),
  0xc5: numberAt((spending, index) => scriptBytes(utxoAt(spending, index).scriptPublicKey).length),
  0xc6: substringAt((spending, index) => scriptBytes(utxoAt(spending, index).scriptPublicKey)),
  0xc7: numberAt((spending, index) => scriptBytes(outputAt(spending, index).scriptPublicKey).length),
  0xc8: substringAt((spending, index) => scriptBytes(outputAt(spending, index).scriptPublicKey)),
  0xc9: numberAt((spending, index) => inputAt(spending, index).signatureScript.length / 2),
}

/** Pushes a number of the transaction. */
/*#__NO_SIDE_EFFECTS__*/
function number(read: (spending: Spending) => number | bigint): Operation {
  return ({ stack, spending }) => stack.pushNumber(BigInt(read(spending)))
}

/** Pops an index and pushes a number found there. */
/*#__NO_SIDE_EFFECTS__*/
function numberAt(read: (spending: Spending, index: number) => number | bigint): Operation {
  return ({ stack, spending }) => stack.pushNumber(BigInt(read(spending, stack.popIndex())))
}

/** Pops an index and a range, and pushes that part of the bytes found there. */
/*#__NO_SIDE_EFFECTS__*/
function substringAt(read: (spending: Spending, index: number) => Uint8Array): Operation {
  return ({ stack, spending }: Machine) => {
    const [index = 0, start = 0, end = 0] = stack.takeInt32s(3).map(toIndex)
    stack.push(substring(read(spending, index), start, end))
  }
}

/** A script public key as scripts read it: two bytes of version, big-endian, then the script. */
function scriptBytes({ version, script }: ScriptPublicKey): Uint8Array {
  return Uint8Array.of(version >> 8, version & 0xff, ...fromHex(script))
}

/** The node reinterprets scores, gas and lock times as signed. */
const toSigned = (value: bigint): bigint => BigInt.asIntN(64, value)

/** Amounts must fit. */
function toInt64(amount: bigint): bigint {
  if (toSigned(amount) === amount) return amount
  throw new ScriptError('Number too big: out of range integral type conversion attempted')
}

function toBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** The lock time of the transaction must be enabled, of the same kind, and at least that of the script. */
function checkLockTime(item: Uint8Array, { transaction: { lockTime }, input }: Spending): void {
  const required = readUnsigned(item)
  if (lockTime < LOCK_TIME_THRESHOLD !== required < LOCK_TIME_THRESHOLD)
    throw unsatisfied(
      `mismatched locktime types -- tx locktime ${String(lockTime)}, stack locktime ${String(required)}`,
    )
  assertAtMost(required, lockTime)
  if (input.sequence === MAX_SEQUENCE) throw unsatisfied('transaction input is finalized')
}

/** The relative lock time in the input's sequence must be enabled and at least that of the script. */
function checkSequence(item: Uint8Array, { input: { sequence } }: Spending): void {
  const required = readUnsigned(item)
  if ((required & SEQUENCE_LOCK_DISABLED) !== 0n) return
  if ((sequence & SEQUENCE_LOCK_DISABLED) !== 0n)
    throw unsatisfied(`transaction sequence has sequence locktime disabled bit set: 0x${sequence.toString(16)}`)
  assertAtMost(required & SEQUENCE_LOCK_MASK, sequence & SEQUENCE_LOCK_MASK)
}

function assertAtMost(required: bigint, given: bigint): void {
  if (required <= given) return
  const reason = 'locktime requirement not satisfied -- locktime is greater than the transaction locktime'
  throw unsatisfied(`${reason}: ${String(required)} > ${String(given)}`)
}

function readUnsigned(item: Uint8Array): bigint {
  if (item.length > 8)
    throw new ScriptError(`Number too big: lockTime value represented as ${formatBytes(item)} is longer then 8 bytes`)
  return item.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
}

const unsatisfied = (reason: string): ScriptError => new ScriptError(`Unsatisfied lock time: ${reason}`)
