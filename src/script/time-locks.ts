import { LOCK_TIME_THRESHOLD, MAX_SEQUENCE, SEQUENCE_LOCK_DISABLED, SEQUENCE_LOCK_MASK } from '../model/transaction.js'
import { formatBytes } from './numbers.js'
import { ScriptError } from './script-error.js'
import type { Spending } from './spending.js'

/** The lock time of the transaction must be enabled, of the same kind, and at least that of the script. */
export function checkLockTime(item: Uint8Array, { transaction: { lockTime }, input }: Spending): void {
  const required = readUnsigned(item)
  if (lockTime < LOCK_TIME_THRESHOLD !== required < LOCK_TIME_THRESHOLD)
    throw unsatisfied(
      `mismatched locktime types -- tx locktime ${String(lockTime)}, stack locktime ${String(required)}`,
    )
  assertAtMost(required, lockTime)
  if (input.sequence === MAX_SEQUENCE) throw unsatisfied('transaction input is finalized')
}

/** The relative lock time in the input's sequence must be enabled and at least that of the script. */
export function checkSequence(item: Uint8Array, { input: { sequence } }: Spending): void {
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
