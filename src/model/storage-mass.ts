import type { ScriptPublicKey, UtxoEntry } from './utxo.js'

/** What an output of one sompi would weigh in grams: the parameter C of KIP-9. */
export const STORAGE_PARAMETER = 10n ** 12n

/** The part of a spent or created output that storage mass is about. */
export type StoredOutput = Pick<UtxoEntry, 'amount' | 'scriptPublicKey' | 'covenantId'>

/** Outputs added up, as far as storage mass goes: sums can be added to sums. */
export interface StorageTotals {
  /** Places of 100 bytes in the set of unspent outputs: one for every standard script. */
  readonly places: bigint
  /** Sompi. */
  readonly amount: bigint
  /** What the outputs weigh each by itself, in grams. */
  readonly harmonic: bigint
}

/** The sum of no outputs. */
export const NO_STORAGE: StorageTotals = { places: 0n, amount: 0n, harmonic: 0n }

/** One output as a sum. Its amount must be above zero. */
export function storageOf({ amount, scriptPublicKey, covenantId }: StoredOutput): StorageTotals {
  const places = placesOf(scriptPublicKey, covenantId)
  return { places, amount, harmonic: (STORAGE_PARAMETER * places ** 2n) / amount }
}

export function addStorage(a: StorageTotals, b: StorageTotals): StorageTotals {
  return { places: a.places + b.places, amount: a.amount + b.amount, harmonic: a.harmonic + b.harmonic }
}

export const storageTotals = (outputs: readonly StoredOutput[]): StorageTotals =>
  outputs.map(storageOf).reduce(addStorage, NO_STORAGE)

/**
 * What a transaction adds to the set of unspent outputs for ever, in grams (KIP-9): small outputs cost, small inputs pay
 * back, each by its own size where there are few, and by their mean where there are many.
 */
export function storageMassOf(created: StorageTotals, spent: StorageTotals): bigint {
  const isRelaxed = created.places === 1n || spent.places === 1n || (spent.places === 2n && created.places === 2n)
  const relief = isRelaxed ? spent.harmonic : arithmeticMass(spent)
  return created.harmonic > relief ? created.harmonic - relief : 0n
}

function arithmeticMass({ places, amount }: StorageTotals): bigint {
  return places === 0n ? 0n : places * (STORAGE_PARAMETER / (amount / places))
}

function placesOf({ script }: ScriptPublicKey, covenantId: string | undefined): bigint {
  const bytes = 63 + script.length / 2 + (covenantId === undefined ? 0 : 32)
  return BigInt(Math.ceil(bytes / 100))
}
