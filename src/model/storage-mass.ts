import type { ScriptPublicKey, UtxoEntry } from './utxo.js'

/** The parameter C of KIP-9: the storage mass of an output of one sompi, in grams. */
export const STORAGE_PARAMETER = 10n ** 12n

/** The fields of an output that determine its storage mass. */
export type StoredOutput = Pick<UtxoEntry, 'amount' | 'scriptPublicKey' | 'covenantId'>

/** Sums over outputs, as storage mass needs them. */
export interface StorageTotals {
  /** Units of 100 bytes in the UTXO set (KIP-9): 1 for a standard script. */
  readonly plurality: bigint
  /** Sompi. */
  readonly amount: bigint
  /** Sum of the outputs' individual storage masses, in grams. */
  readonly harmonic: bigint
}

export const NO_STORAGE: StorageTotals = { plurality: 0n, amount: 0n, harmonic: 0n }

/** The sums of one output. Its amount must be above zero. */
export function storageOf({ amount, scriptPublicKey, covenantId }: StoredOutput): StorageTotals {
  const plurality = pluralityOf(scriptPublicKey, covenantId)
  return { plurality, amount, harmonic: (STORAGE_PARAMETER * plurality ** 2n) / amount }
}

export function addStorage(a: StorageTotals, b: StorageTotals): StorageTotals {
  return { plurality: a.plurality + b.plurality, amount: a.amount + b.amount, harmonic: a.harmonic + b.harmonic }
}

export const storageTotals = (outputs: readonly StoredOutput[]): StorageTotals =>
  outputs.map(storageOf).reduce(addStorage, NO_STORAGE)

/**
 * Storage mass in grams (KIP-9): the harmonic mass of the outputs minus that of the inputs, which is harmonic for few
 * inputs and outputs (relaxed formula), else arithmetic (by the mean amount).
 */
export function storageMassOf(created: StorageTotals, spent: StorageTotals): bigint {
  const isRelaxed =
    created.plurality === 1n || spent.plurality === 1n || (spent.plurality === 2n && created.plurality === 2n)
  const inputMass = isRelaxed ? spent.harmonic : arithmeticMass(spent)
  return created.harmonic > inputMass ? created.harmonic - inputMass : 0n
}

/** No output of a chain has less than a sompi for each of its units; what others state may have. */
function arithmeticMass({ plurality, amount }: StorageTotals): bigint {
  if (plurality === 0n) return 0n
  const mean = amount / plurality
  return plurality * (STORAGE_PARAMETER / (mean === 0n ? 1n : mean))
}

function pluralityOf({ script }: ScriptPublicKey, covenantId: string | undefined): bigint {
  const bytes = 63 + script.length / 2 + (covenantId === undefined ? 0 : 32)
  return BigInt(Math.ceil(bytes / 100))
}
