import { MAX_SOMPI, SOMPI_PER_KASPA, sompiToKaspa } from '../../model/amount.js'
import { STORAGE_PARAMETER, MASS_LIMITS } from '../../model/mass.js'
import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { PayoutError } from '../../errors/payout-error.js'
import { addressVersionOf, decodeAddress, toScriptPublicKey } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'

/** A payment, as far as a batch depends on it. */
export interface BatchItem {
  readonly id: string
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
}

/** What one transaction may pay. */
interface BatchLimits {
  readonly maxOutputs: number
  /**
   * Grams of storage mass (KIP-9) of the outputs: 10¹² divided by the sompi of each. The change has a share of the
   * 500,000 too.
   */
  readonly maxStorageMass: bigint
}

/** How often a payment is left out of a batch, at most, for those behind it. */
const MAX_SKIPS = 10

interface Batch<Item> {
  readonly items: readonly Item[]
  /** How often each payment that is still in the queue was left out. */
  readonly skips: ReadonlyMap<string, number>
}

/** Grams of storage mass of an output to an address: the script of each form takes one unit of the UTXO set (KIP-9). */
export const outputMass = ({ amount }: Pick<BatchItem, 'amount'>): bigint => STORAGE_PARAMETER / amount

/**
 * The payments of the next transaction, oldest first, as many as fit. One that does not fit is left out for those
 * behind it, in at most ten batches. Inputs do not help: one large UTXO offsets nothing. No transaction
 * pays more than the supply.
 */
export function nextBatch<Item extends BatchItem>(
  queue: readonly Item[],
  { maxOutputs, maxStorageMass }: BatchLimits,
  skips: ReadonlyMap<string, number> = new Map(),
): Batch<Item> {
  const items: Item[] = []
  const next = new Map<string, number>()
  let mass = 0n
  let paid = 0n
  for (const item of queue) {
    if (items.length >= maxOutputs) break
    const grams = outputMass(item)
    const fits = mass + grams <= maxStorageMass && paid + item.amount <= MAX_SOMPI
    if (items.length === 0 || fits) {
      items.push(item)
      mass += grams
      paid += item.amount
      continue
    }
    const skipped = skips.get(item.id) ?? 0
    if (skipped >= MAX_SKIPS) break
    next.set(item.id, skipped + 1)
  }
  return { items, skips: next }
}

/** Change below this costs more than 500 grams of storage mass. */
export const SMALLEST_CHANGE = 20n * SOMPI_PER_KASPA

/** Sompi that further outputs add to the fee, at most. */
const MARGIN = SOMPI_PER_KASPA / 10n

interface SplitRules {
  /** How many UTXOs the wallet should have. */
  readonly splitTo: number
  /** UTXOs that it has besides the change, confirmed or not. */
  readonly others: number
  /** The amount that the batch pays, sompi. */
  readonly paid: bigint
}

/**
 * The amounts of further outputs of one's own beside the change, so that payments do not wait for each other's change.
 * Each has at least 20 times the batch and 20 KAS. None where the wallet has half of its UTXOs.
 */
export function splitChange(change: bigint, { splitTo, others, paid }: SplitRules): readonly bigint[] {
  if (2 * (others + 1) > splitTo) return []
  const least = 20n * paid > SMALLEST_CHANGE ? 20n * paid : SMALLEST_CHANGE
  const wanted = BigInt(splitTo - others)
  const possible = (change - MARGIN) / least
  const parts = possible < wanted ? possible : wanted
  return parts < 2n ? [] : Array.from({ length: Number(parts) - 1 }, () => (change - MARGIN) / parts)
}

/** A payment as a caller requests it. */
export interface PayoutOutput {
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
  /** When it may be signed. @default at once */
  readonly notBefore?: Date | undefined
}

interface RequestRules {
  readonly network: ChainNetwork
  /** Sompi. */
  readonly minAmount: bigint
  readonly allowScripts: boolean
}

const NAMES = ['address', 'amount', 'notBefore'] satisfies (keyof PayoutOutput)[]

/** Characters of an id, at most. */
const MAX_ID = 255

/**
 * Throws `PayoutError` (`invalid-argument`) for what could not be paid: it would delay those that share its
 * transaction.
 */
export function checkRequest(
  id: unknown,
  output: PayoutOutput,
  rules: RequestRules,
): { readonly id: string; readonly address: string; readonly amount: bigint; readonly notBefore: number | null } {
  refuseUnknown(output, NAMES)
  const { address, amount, notBefore } = output
  const checked = { id: checkId(id), address: checkAddress(address, rules), amount: checkAmount(amount, rules) }
  if (outputMass(checked) > MASS_LIMITS.storage)
    throw invalid('amount', `"amount" is so small that no transaction can pay it`)
  return { ...checked, notBefore: checkNotBefore(notBefore) }
}

/** Databases store neither NUL nor half of a surrogate pair. */
export function checkId(id: unknown): string {
  const isId = typeof id === 'string' && id.length > 0 && id.length <= MAX_ID && !/[\0\p{Surrogate}]/u.test(id)
  if (isId) return id
  throw invalid('id', `"id" must be a text of 1 to ${MAX_ID} characters`, 'Without NUL and half surrogate pairs.')
}

function checkAddress(address: unknown, { network, allowScripts }: RequestRules): string {
  if (typeof address !== 'string') throw invalid('address', '"address" must be an address')
  const { prefix } = decodeAddress(address, 'address')
  const { addressPrefix } = NETWORKS[network]
  if (prefix !== addressPrefix)
    throw invalid('address', `"address" is not of ${network}`, `Its addresses begin with "${addressPrefix}:".`)
  if (!allowScripts && addressVersionOf(toScriptPublicKey(address, 'address')) === 'ScriptHash')
    throw invalid('address', '"address" is the address of a script', 'Pass allowScripts: true to pay to scripts.')
  return address
}

function checkAmount(amount: unknown, { minAmount }: RequestRules): bigint {
  if (typeof amount !== 'bigint' || amount <= 0n || amount > MAX_SOMPI)
    throw invalid('amount', '"amount" must be an amount above zero, in sompi, as a bigint')
  if (amount >= minAmount) return amount
  throw invalid('amount', `"amount" is below the minimum of ${sompiToKaspa(minAmount)} KAS`)
}

function checkNotBefore(notBefore: unknown): number | null {
  if (notBefore === undefined) return null
  if (notBefore instanceof Date && !Number.isNaN(notBefore.getTime())) return notBefore.getTime()
  throw invalid('notBefore', '"notBefore" must be a valid Date')
}

const invalid = (argument: string, message: string, hint?: string): PayoutError => {
  const { code, ...facts } = invalidArgument(argument, message, hint)
  return new PayoutError(message, { ...facts, code })
}
