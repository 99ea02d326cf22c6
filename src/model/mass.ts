import { COINBASE_SUBNETWORK, type Transaction } from './transaction.js'
import type { ScriptPublicKey, UtxoEntry } from './utxo.js'

/** The most of each mass, in grams, that a block and therefore a transaction may have (nodes of 2.x). */
export const MASS_LIMITS = { compute: 500_000n, transient: 1_000_000n, storage: 500_000n } as const

/** The most inputs, and the most outputs, of one transaction (nodes since 1.0). */
export const MAX_INPUTS = 1000
export const MAX_OUTPUTS = 1000

/** The fee below which nodes of 2.x do not relay, in sompi per gram. Those before took 1. */
export const MINIMUM_FEERATE = 100n

/** What an output of one sompi would weigh: the parameter C of KIP-9. */
const STORAGE_PARAMETER = 10n ** 12n

/** The part of a spent or created output that storage mass is about. */
export type StoredOutput = Pick<UtxoEntry, 'amount' | 'scriptPublicKey'> & { readonly covenantId?: string | undefined }

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
 * What the transaction adds to the set of unspent outputs for ever, in grams (KIP-9): small outputs cost, small inputs pay back.
 * `spent` are the outputs that the inputs spend, in any order. Amounts must be above zero.
 */
export function storageMass(transaction: Transaction, spent: readonly StoredOutput[]): bigint {
  if (isCoinbase(transaction)) return 0n
  const created = transaction.outputs.map(({ value, scriptPublicKey, covenant }) => ({
    amount: value,
    scriptPublicKey,
    covenantId: covenant?.covenantId,
  }))
  return storageMassOf(created, spent)
}

/** The same, of what is created and what is spent alone. */
export function storageMassOf(created: readonly StoredOutput[], spent: readonly StoredOutput[]): bigint {
  const cost = harmonicMass(created)
  const places = totalPlaces(spent)
  const isRelaxed = totalPlaces(created) === 1n || places === 1n || (places === 2n && totalPlaces(created) === 2n)
  const relief = isRelaxed ? harmonicMass(spent) : arithmeticMass(spent, places)
  return cost > relief ? cost - relief : 0n
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

/** How many places of 100 bytes an output takes in the set: one for every standard script, two under a covenant. */
function places(scriptPublicKey: ScriptPublicKey, covenantId: string | undefined): bigint {
  const bytes = 63 + byteLength(scriptPublicKey.script) + (covenantId === undefined ? 0 : 32)
  return BigInt(Math.ceil(bytes / 100))
}

function totalPlaces(outputs: readonly StoredOutput[]): bigint {
  return outputs.reduce((sum, output) => sum + places(output.scriptPublicKey, output.covenantId), 0n)
}

function harmonicMass(outputs: readonly StoredOutput[]): bigint {
  return outputs.reduce(
    (sum, { amount, scriptPublicKey, covenantId }) =>
      sum + (STORAGE_PARAMETER * places(scriptPublicKey, covenantId) ** 2n) / amount,
    0n,
  )
}

function arithmeticMass(outputs: readonly StoredOutput[], count: bigint): bigint {
  const mean = outputs.reduce((sum, output) => sum + output.amount, 0n) / count
  return count * (STORAGE_PARAMETER / mean)
}

const byteLength = (hex: string): number => hex.length / 2
