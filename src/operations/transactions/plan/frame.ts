import { computeMass, transactionSize } from '../../../model/mass.js'
import {
  NO_STORAGE,
  addStorage,
  storageMassOf,
  storageOf,
  storageTotals,
  type StorageTotals,
} from '../../../model/storage-mass.js'
import { NATIVE_SUBNETWORK, type Transaction, type TransactionOutput } from '../../../model/transaction.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'

/** What a transaction weighs, in grams: what nodes ask a fee for, and what it adds to the set of unspent outputs. */
export interface Masses {
  /** The greater of compute mass and half the transient mass. */
  readonly relay: bigint
  readonly storage: bigint
}

/** The most of either that nodes take. */
export const MASS_LIMIT = 500_000n

/** A transaction to be, without its inputs: what is fixed before coins are chosen. */
export interface Frame {
  readonly outputs: readonly TransactionOutput[]
  /** Who gets the rest. */
  readonly change: ScriptPublicKey
  readonly payload: string
  /** Sompi beyond what is due. */
  readonly priorityFee: bigint
  /** Sompi, all outputs together. */
  readonly paid: bigint
  /** What the outputs weigh, without change and with it (whose storage mass depends on its amount). */
  readonly plain: Weight
  readonly withChange: Weight
}

interface Weight {
  readonly compute: bigint
  readonly bytes: bigint
  readonly created: StorageTotals
}

/** What an input with one signature weighs, in grams: 118 bytes and a thousand for the signature. */
export const INPUT_MASS = 1118n
const INPUT_BYTES = 118n

export function createFrame(
  outputs: readonly TransactionOutput[],
  change: ScriptPublicKey,
  { payload, priorityFee }: { readonly payload: string; readonly priorityFee: bigint } = {
    payload: '',
    priorityFee: 0n,
  },
): Frame {
  const created = storageTotals(outputs.map(({ value, scriptPublicKey }) => ({ amount: value, scriptPublicKey })))
  const weigh = (all: readonly TransactionOutput[]): Weight => {
    const bare = unsignedTransaction([], all, payload)
    return { compute: computeMass(bare), bytes: BigInt(transactionSize(bare)), created }
  }
  const withChange = weigh([...outputs, { value: 0n, scriptPublicKey: change }])
  return { outputs, change, payload, priorityFee, paid: created.amount, plain: weigh(outputs), withChange }
}

/** An ordinary transaction of version 0, spendable at once. */
export function unsignedTransaction(
  inputs: Transaction['inputs'],
  outputs: Transaction['outputs'],
  payload: string,
): Transaction {
  return { version: 0, inputs, outputs, lockTime: 0n, subnetworkId: NATIVE_SUBNETWORK, gas: 0n, payload, mass: 0n }
}

/** What the framed transaction weighs once it spends `spent`, signatures included; with an output for `change` if that is above zero. */
export function massesOf(frame: Frame, spent: StorageTotals, change: bigint): Masses {
  const { compute, bytes, created } = change > 0n ? frame.withChange : frame.plain
  const rest = change > 0n ? storageOf({ amount: change, scriptPublicKey: frame.change }) : NO_STORAGE
  return { relay: relayOf(compute, bytes, spent.places), storage: storageMassOf(addStorage(created, rest), spent) }
}

export const fits = ({ relay, storage }: Masses): boolean => relay <= MASS_LIMIT && storage <= MASS_LIMIT

/** The grams that a transaction of ours keeps to while it can: a fifth of a block, so that any block has room for it. */
const COMFORTABLE_MASS = 100_000n

/**
 * How many coins the framed transaction can spend: so many that it stays comfortable, or, where its outputs and its
 * payload alone leave no comfort, as many as nodes take; 0 where they leave no room at all.
 */
export function roomOf(frame: Frame): number {
  return inputsWithin(frame, COMFORTABLE_MASS) || inputsWithin(frame, MASS_LIMIT)
}

/** Whether the framed transaction can spend so many coins, if it must. */
export const hasRoomFor = (frame: Frame, inputs: number): boolean => inputsWithin(frame, MASS_LIMIT) >= inputs

function inputsWithin({ withChange: { compute, bytes } }: Frame, limit: bigint): number {
  const byCompute = (limit - compute) / INPUT_MASS
  const byBytes = (limit - 2n * bytes) / (2n * INPUT_BYTES)
  const room = byCompute < byBytes ? byCompute : byBytes
  return room > 0n ? Number(room) : 0
}

function relayOf(compute: bigint, bytes: bigint, inputs: bigint): bigint {
  const work = compute + INPUT_MASS * inputs
  const size = 2n * (bytes + INPUT_BYTES * inputs)
  return work > size ? work : size
}
