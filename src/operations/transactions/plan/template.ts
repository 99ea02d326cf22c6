import {
  computeMass,
  transactionSize,
  NO_STORAGE,
  addStorage,
  storageMassOf,
  storageOf,
  storageTotals,
  type StorageTotals,
  type StoredOutput,
} from '../../../model/mass.js'
import { createTransaction, type TransactionOutput } from '../../../model/transaction.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'

/** The masses of a transaction, in grams. */
export interface Masses {
  /** The greater of compute mass and half the transient mass: nodes charge their minimum fee for it. */
  readonly relay: bigint
  readonly storage: bigint
}

/** The limit of nodes for either mass. */
export const MASS_LIMIT = 500_000n

/**
 * What the inputs of a transaction spend. Their number is no sum of plurality: an output that a covenant binds has two
 * units.
 */
export interface SpentTotals extends StorageTotals {
  readonly inputs: bigint
}

export const NOTHING_SPENT: SpentTotals = { ...NO_STORAGE, inputs: 0n }

/** The totals of one input. */
export const spentBy = (output: StoredOutput): SpentTotals => ({ ...storageOf(output), inputs: 1n })

export const addSpent = (a: SpentTotals, b: SpentTotals): SpentTotals => ({
  plurality: a.plurality + b.plurality,
  amount: a.amount + b.amount,
  harmonic: a.harmonic + b.harmonic,
  inputs: a.inputs + b.inputs,
})

/** A transaction without the inputs that fund it: what is fixed before coin selection. */
export interface TransactionTemplate {
  readonly outputs: readonly TransactionOutput[]
  /** The script of the change output. */
  readonly change: ScriptPublicKey
  readonly payload: string
  /** Sompi beyond the required fee. */
  readonly priorityFee: bigint
  /** Inputs of a transaction that what signs it can sign. */
  readonly maxInputs: number
  /** Sompi, all outputs together, without what fixed inputs spend. */
  readonly paid: bigint
  /** What fixed inputs spend, whose mass is in that of the outputs. None in version 0. */
  readonly spent: SpentTotals
  readonly input: InputCost
  /** Mass of the outputs without and with change, whose own storage mass depends on its amount. */
  readonly plain: BaseMass
  readonly withChange: BaseMass
}

/** Masses of a transaction without the inputs that fund it. */
export interface BaseMass {
  readonly compute: bigint
  readonly bytes: bigint
  readonly created: StorageTotals
}

/** What each input that funds a transaction adds to it, its signatures included. */
export interface InputCost {
  readonly bytes: bigint
  /** Compute mass in grams: the bytes, and 1,000 for each signature operation. */
  readonly mass: bigint
}

/** An input with one signature: 118 bytes. */
export const KEY_INPUT: InputCost = { bytes: 118n, mass: 1118n }

interface TemplateOptions extends Partial<Pick<TransactionTemplate, 'payload' | 'priorityFee'>> {
  readonly maxInputs?: number | undefined
  readonly input?: InputCost | undefined
}

export function createTemplate(
  outputs: readonly TransactionOutput[],
  change: ScriptPublicKey,
  { payload = '', priorityFee = 0n, maxInputs = Infinity, input = KEY_INPUT }: TemplateOptions = {},
): TransactionTemplate {
  const created = storageTotals(outputs.map(({ value, scriptPublicKey }) => ({ amount: value, scriptPublicKey })))
  const measure = (all: readonly TransactionOutput[]): BaseMass => {
    const bare = createTransaction({ inputs: [], outputs: all, payload })
    return { compute: computeMass(bare), bytes: BigInt(transactionSize(bare)), created }
  }
  const withChange = measure([...outputs, { value: 0n, scriptPublicKey: change }])
  const [paid, plain] = [created.amount, measure(outputs)]
  return { outputs, change, payload, priorityFee, maxInputs, paid, spent: NOTHING_SPENT, input, plain, withChange }
}

/** Masses of the transaction that spends `spent`, signatures included; with an output for `change` above zero. */
export function massesOf(template: TransactionTemplate, spent: SpentTotals, change: bigint): Masses {
  const { compute, bytes, created } = change > 0n ? template.withChange : template.plain
  const changeStorage = change > 0n ? storageOf({ amount: change, scriptPublicKey: template.change }) : NO_STORAGE
  return {
    relay: relayOf(compute, bytes, spent.inputs, template.input),
    storage: storageMassOf(addStorage(created, changeStorage), addSpent(spent, template.spent)),
  }
}

export const fits = ({ relay, storage }: Masses): boolean => relay <= MASS_LIMIT && storage <= MASS_LIMIT

/** Grams that a transaction does not exceed where it can: a fifth of a block, so that it fits into most blocks. */
const PREFERRED_MASS = 100_000n

/**
 * How many UTXOs the transaction can spend within the preferred mass or, where outputs and payload exceed that already,
 * within the limit of nodes, and within that of what signs it; 0 where no input fits.
 */
export function inputCapacity(template: TransactionTemplate): number {
  const byMass = inputsWithin(template, PREFERRED_MASS) || inputsWithin(template, MASS_LIMIT)
  return Math.min(byMass, template.maxInputs)
}

/** Whether the transaction can spend so many UTXOs within the limit of nodes. */
export const canSpendInputs = (template: TransactionTemplate, inputs: number): boolean =>
  inputsWithin(template, MASS_LIMIT) >= inputs

function inputsWithin({ withChange: { compute, bytes }, input }: TransactionTemplate, limit: bigint): number {
  const byCompute = (limit - compute) / input.mass
  const byBytes = (limit - 2n * bytes) / (2n * input.bytes)
  const capacity = byCompute < byBytes ? byCompute : byBytes
  return capacity > 0n ? Number(capacity) : 0
}

function relayOf(compute: bigint, bytes: bigint, inputs: bigint, input: InputCost): bigint {
  const computeTotal = compute + input.mass * inputs
  const halfTransient = 2n * (bytes + input.bytes * inputs)
  return computeTotal > halfTransient ? computeTotal : halfTransient
}
