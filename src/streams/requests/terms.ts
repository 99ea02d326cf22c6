import { ChainError, invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { isValidAddress } from '../../model/address.js'
import { MAX_SOMPI, isPossibleAmount } from '../../model/amount.js'
import { isChainNetwork, type ChainNetwork } from '../../model/network.js'

/**
 * A request as it is stored: plain JSON of some 400 bytes without a secret, for the order's row, a URL or the page's
 * storage. Amounts and scores are decimal texts, because JSON has no bigint.
 */
export interface StoredPaymentRequest {
  readonly network: ChainNetwork
  readonly address: string
  /** The place of the address on its account's receive chain; not set for an address of the caller's. */
  readonly index?: number | undefined
  /** Sompi. */
  readonly amount: string
  /** Sompi by which the sum may be less. */
  readonly tolerance: string
  readonly confirmations: number
  /** The DAA score of the sink at the creation: what the address had received by then does not count. */
  readonly createdAt: string
  /** Unix ms. */
  readonly expiresAt: number
  readonly label?: string | undefined
  readonly message?: string | undefined
}

/** What is fixed at the creation of a request. */
export interface RequestTerms extends Omit<StoredPaymentRequest, 'amount' | 'tolerance' | 'createdAt'> {
  /** Sompi. */
  readonly amount: bigint
  /** Sompi. */
  readonly tolerance: bigint
  /** DAA score. */
  readonly createdAt: bigint
}

const NAMES = [
  'network',
  'address',
  'index',
  'amount',
  'tolerance',
  'confirmations',
  'createdAt',
  'expiresAt',
  'label',
  'message',
] as const satisfies (keyof StoredPaymentRequest)[]

/**
 * The terms of a stored request. Throws `ChainError` (`invalid-argument`) with the field where it was changed, or is
 * none.
 */
export function toTerms(stored: StoredPaymentRequest): RequestTerms {
  refuseUnknown(stored, NAMES)
  const { network, address, amount, tolerance, createdAt } = stored
  if (!isChainNetwork(network)) throw invalidArgument('network', `There is no network "${String(network)}"`)
  const terms = {
    ...stored,
    amount: toNatural('amount', amount),
    tolerance: toNatural('tolerance', tolerance),
    createdAt: toNatural('createdAt', createdAt),
  }
  checkTerms(terms)
  if (!isValidAddress(address, network)) throw invalidArgument('address', `"address" is no address of ${network}`)
  return terms
}

/** Whether a value has the form of a stored request. */
export const isStored = (value: object): value is StoredPaymentRequest => 'createdAt' in value

/** Terms, or why there are none. */
export interface ReadTerms {
  readonly terms: RequestTerms | null
  readonly error: ChainError | null
}

/** As `toTerms`, without an exception; nothing for no request. */
export function readTerms(stored: StoredPaymentRequest | null | undefined): ReadTerms {
  try {
    return { terms: stored === null || stored === undefined ? null : toTerms(stored), error: null }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return { terms: null, error }
  }
}

/** Whether two stored requests say the same. */
export const isSameStored = (left: StoredPaymentRequest, right: StoredPaymentRequest): boolean =>
  NAMES.every((name) => left[name] === right[name])

/** The request as plain JSON. */
export const toStored = ({ amount, tolerance, createdAt, ...terms }: RequestTerms): StoredPaymentRequest => ({
  ...terms,
  amount: String(amount),
  tolerance: String(tolerance),
  createdAt: String(createdAt),
})

function toNatural(argument: string, text: unknown): bigint {
  if (typeof text === 'string' && /^\d{1,20}$/.test(text)) return BigInt(text)
  throw invalidArgument(argument, `"${argument}" of the stored request is no whole number as text`)
}

type CheckedTerms = Pick<RequestTerms, 'amount' | 'tolerance' | 'confirmations' | 'expiresAt' | 'index'>

/** Throws `ChainError` (`invalid-argument`) for figures that no request can have. */
export function checkTerms({ amount, tolerance, confirmations, expiresAt, index = 0 }: CheckedTerms): void {
  if (typeof amount !== 'bigint' || !isPossibleAmount(amount))
    throw invalidArgument('amount', '"amount" is no amount of an output', `A bigint of sompi from 1 to ${MAX_SOMPI}.`)
  if (typeof tolerance !== 'bigint' || tolerance < 0n || tolerance >= amount)
    throw invalidArgument('tolerance', '"tolerance" is not from 0n to below the amount')
  if (!isNatural(confirmations)) throw invalidArgument('confirmations', '"confirmations" is no whole number from 0')
  if (!isNatural(expiresAt)) throw invalidArgument('expiresAt', 'The expiry is no time in Unix milliseconds')
  if (!isNatural(index)) throw invalidArgument('index', '"index" is no whole number from 0')
}

const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
