import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { PayoutError } from '../../errors/payout-error.js'
import { addressVersionOf, decodeAddress, toScriptPublicKey } from '../../model/address.js'
import { MAX_SOMPI, sompiToKaspa } from '../../model/amount.js'
import { MASS_LIMITS } from '../../model/mass.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { outputMass } from './next-batch.js'

/** A payment as a caller requests it. */
export interface PayoutOutput {
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
  /** When it may be signed. @default at once */
  readonly notBefore?: Date | undefined
}

export interface RequestRules {
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
