import { LOCK_TIME_THRESHOLD } from '../params.js'
import { ScriptError } from './script-error.js'
import type { Spending } from './spending.js'

const MAX_SEQUENCE = 2n ** 64n - 1n
const SEQUENCE_LOCK_DISABLED = 1n << 63n
const SEQUENCE_LOCK_MASK = 0xffff_ffffn

/** The script demands a lock time; the transaction must have one at least as late, of the same kind, that is not waived. */
export function checkLockTime(item: Uint8Array, { transaction: { lockTime }, input }: Spending): void {
  const demanded = readUnsigned(item)
  if (lockTime < LOCK_TIME_THRESHOLD !== demanded < LOCK_TIME_THRESHOLD)
    throw unsatisfied(
      `mismatched locktime types -- tx locktime ${String(lockTime)}, stack locktime ${String(demanded)}`,
    )
  demandAtMost(demanded, lockTime)
  if (input.sequence === MAX_SEQUENCE) throw unsatisfied('transaction input is finalized')
}

/** The script demands an age of the coin; the input's sequence must demand at least as much. */
export function checkSequence(item: Uint8Array, { input: { sequence } }: Spending): void {
  const demanded = readUnsigned(item)
  if ((demanded & SEQUENCE_LOCK_DISABLED) !== 0n) return
  if ((sequence & SEQUENCE_LOCK_DISABLED) !== 0n)
    throw unsatisfied(`transaction sequence has sequence locktime disabled bit set: 0x${sequence.toString(16)}`)
  demandAtMost(demanded & SEQUENCE_LOCK_MASK, sequence & SEQUENCE_LOCK_MASK)
}

function demandAtMost(demanded: bigint, given: bigint): void {
  if (demanded <= given) return
  const words = 'locktime requirement not satisfied -- locktime is greater than the transaction locktime'
  throw unsatisfied(`${words}: ${String(demanded)} > ${String(given)}`)
}

function readUnsigned(item: Uint8Array): bigint {
  if (item.length > 8) {
    const bytes = [...item].map((byte) => byte.toString(16)).join(', ')
    throw new ScriptError(`Number too big: lockTime value represented as [${bytes}] is longer then 8 bytes`)
  }
  return item.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
}

const unsatisfied = (words: string): ScriptError => new ScriptError(`Unsatisfied lock time: ${words}`)
