import { storageMassOf, storageTotals, type StoredOutput } from './storage-mass.js'
import { COINBASE_SUBNETWORK, type Transaction, type TransactionOutput } from './transaction.js'

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
