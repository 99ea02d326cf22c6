import { COINBASE_SUBNETWORK, type Transaction, type TransactionOutput } from './transaction.js'
import type { ScriptPublicKey, UtxoEntry } from './utxo.js'

/** Maximum of each mass of a block and thus of a transaction, in grams (nodes of 2.x). */
export const MASS_LIMITS = { compute: 500_000n, transient: 1_000_000n, storage: 500_000n } as const

/** Maximum number of inputs and of outputs of a transaction (nodes since 1.0). */
export const MAX_INPUTS = 1000
export const MAX_OUTPUTS = 1000

/** Minimum relay feerate of nodes of 2.x, in sompi per gram. Earlier nodes accept 1. */
export const MINIMUM_FEERATE = 100n

/** Estimated serialized size in bytes, as the node computes it, with the current signature scripts. */
export function transactionSize({ version, inputs, outputs, payload }: Transaction): number {
  const perInput = version === 0 ? 52 : 54
  const inputBytes = inputs.reduce((sum, input) => sum + perInput + byteLength(input.signatureScript), 0)
  const outputBytes = outputs.reduce(
    (sum, output) => sum + 18 + byteLength(output.scriptPublicKey.script) + (output.covenant ? 34 : 0),
    0,
  )
  return 94 + byteLength(payload) + inputBytes + outputBytes
}

/** Compute mass in grams: 1 per byte, 10 per byte of output script, 1000 per signature operation. 0 for a coinbase. */
export function computeMass(transaction: Transaction): bigint {
  if (isCoinbase(transaction)) return 0n
  const { version, inputs, outputs } = transaction
  const scripts = outputs.reduce((sum, output) => sum + 2 + byteLength(output.scriptPublicKey.script), 0)
  const signatures = inputs.reduce(
    (sum, input) => sum + (version === 0 ? 1000 * input.sigOpCount : 100 * (input.computeBudget ?? 0)),
    0,
  )
  return BigInt(transactionSize(transaction) + 10 * scripts + signatures)
}

/** Transient mass in grams: 4 per byte. */
export function transientMass(transaction: Transaction): bigint {
  return isCoinbase(transaction) ? 0n : 4n * BigInt(transactionSize(transaction))
}

/**
 * Storage mass in grams (KIP-9).
 * `spent` are the outputs that the inputs spend, in any order. Amounts must be above zero.
 */
export function storageMass(transaction: Transaction, spent: readonly StoredOutput[]): bigint {
  return isCoinbase(transaction)
    ? 0n
    : storageMassOf(storageTotals(transaction.outputs.map(toStored)), storageTotals(spent))
}

/**
 * The mass of the minimum relay fee, in grams: the greater of compute mass and twice the size, without storage mass.
 */
export function relayMass(transaction: Transaction): bigint {
  const compute = computeMass(transaction)
  const bytes = transientMass(transaction) / 2n
  return compute > bytes ? compute : bytes
}

/** Minimum relay fee of a node of 2.x in sompi, with the current signature scripts. */
export function minimumFee(transaction: Transaction, feerate: bigint = MINIMUM_FEERATE): bigint {
  return relayMass(transaction) * feerate
}

export const isCoinbase = (transaction: Pick<Transaction, 'subnetworkId'>): boolean =>
  transaction.subnetworkId === COINBASE_SUBNETWORK

/** An output as storage mass counts it. */
export const toStored = ({ value, scriptPublicKey, covenant }: TransactionOutput): StoredOutput => ({
  amount: value,
  scriptPublicKey,
  covenantId: covenant?.covenantId,
})

const byteLength = (hex: string): number => hex.length / 2

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
