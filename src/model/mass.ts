import { storageMassOf, storageTotals, type StoredOutput } from './storage-mass.js'
import { COINBASE_SUBNETWORK, type Transaction, type TransactionOutput } from './transaction.js'

/** The most of each mass, in grams, that a block and therefore a transaction may have (nodes of 2.x). */
export const MASS_LIMITS = { compute: 500_000n, transient: 1_000_000n, storage: 500_000n } as const

/** The most inputs, and the most outputs, of one transaction (nodes since 1.0). */
export const MAX_INPUTS = 1000
export const MAX_OUTPUTS = 1000

/** The fee below which nodes of 2.x do not relay, in sompi per gram. Those before took 1. */
export const MINIMUM_FEERATE = 100n

/** The bytes that a node reckons a transaction to take; signature scripts count as they stand. */
export function transactionSize({ version, inputs, outputs, payload }: Transaction): number {
  const perInput = version === 0 ? 52 : 54
  const inputBytes = inputs.reduce((sum, input) => sum + perInput + byteLength(input.signatureScript), 0)
  const outputBytes = outputs.reduce(
    (sum, output) => sum + 18 + byteLength(output.scriptPublicKey.script) + (output.covenant ? 34 : 0),
    0,
  )
  return 94 + byteLength(payload) + inputBytes + outputBytes
}

/** What verifying costs, in grams: a gram a byte, ten a byte of output script, a thousand a signature. Coinbase costs nothing. */
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

/** What keeping the transaction until it is pruned costs, in grams: four a byte. */
export function transientMass(transaction: Transaction): bigint {
  return isCoinbase(transaction) ? 0n : 4n * BigInt(transactionSize(transaction))
}

/**
 * What the transaction adds to the set of unspent outputs for ever, in grams: small outputs cost, small inputs pay back.
 * `spent` are the outputs that the inputs spend, in any order. Amounts must be above zero.
 */
export function storageMass(transaction: Transaction, spent: readonly StoredOutput[]): bigint {
  return isCoinbase(transaction)
    ? 0n
    : storageMassOf(storageTotals(transaction.outputs.map(toStored)), storageTotals(spent))
}

/** What a node asks a fee for, in grams: the greater of compute mass and twice the size. Storage mass is not in it. */
export function relayMass(transaction: Transaction): bigint {
  const compute = computeMass(transaction)
  const bytes = transientMass(transaction) / 2n
  return compute > bytes ? compute : bytes
}

/** The fee in sompi below which a node of 2.x refuses the transaction, signatures as they stand. */
export function minimumFee(transaction: Transaction, feerate: bigint = MINIMUM_FEERATE): bigint {
  return relayMass(transaction) * feerate
}

/** Whether a transaction is the one that pays a block's miners. */
export const isCoinbase = (transaction: Pick<Transaction, 'subnetworkId'>): boolean =>
  transaction.subnetworkId === COINBASE_SUBNETWORK

const toStored = ({ value, scriptPublicKey, covenant }: TransactionOutput): StoredOutput => ({
  amount: value,
  scriptPublicKey,
  covenantId: covenant?.covenantId,
})

const byteLength = (hex: string): number => hex.length / 2
