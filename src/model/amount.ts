import { invalidArgument } from '../errors/chain-error.js'
import { NETWORKS, type ChainNetwork, type CurrencyUnit, isChainNetwork } from './network.js'
import { trimEnd } from './trim-end.js'

/** One KAS in sompi. */
export const SOMPI_PER_KASPA = 100_000_000n

/** Maximum sum of a transaction's outputs, in sompi: 29 billion KAS. */
export const MAX_SOMPI = 29_000_000_000n * SOMPI_PER_KASPA

/** Whether an output may have this amount of sompi. */
export const isPossibleAmount = (amount: bigint): boolean => amount > 0n && amount <= MAX_SOMPI

const DECIMALS = 8

/** Sign, whole part, fraction and exponent of a decimal number. */
const DECIMAL = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]\d+))?$/

/**
 * Converts KAS to sompi exactly. A number is read by its decimal text: 0.1 is a tenth, and 0.1 + 0.2, which is not 0.3,
 * is rejected. Strings are plain decimals such as `12.5`, with a point and without separators. Throws `ChainError`
 * (`invalid-argument`) for anything else, and for amounts finer than a sompi.
 */
export function kaspaToSompi(kas: string | number): bigint {
  const text = String(kas)
  const [, sign, whole = '', fraction = '', exponent] = DECIMAL.exec(text) ?? []
  if (sign === undefined || whole + fraction === '' || (exponent !== undefined && typeof kas === 'string')) {
    throw invalidArgument('kas', `${quoted(text)} is not an amount of KAS`, 'A decimal number such as "12.5".')
  }
  const shift = DECIMALS + Number(exponent ?? 0) - fraction.length
  const digits = (whole + fraction).padStart(-shift, '0')
  const kept = shift < 0 ? digits.slice(0, shift) : digits + '0'.repeat(shift)
  if (shift < 0 && /[1-9]/.test(digits.slice(shift))) {
    throw invalidArgument(
      'kas',
      `${text.slice(0, 40)} KAS is no whole number of sompi`,
      'KAS has eight decimals; pass a string to be exact.',
    )
  }
  return BigInt(kept === '' ? '0' : kept) * (sign === '-' ? -1n : 1n)
}

/** A longer text is not quoted: it may be a key pasted into the wrong field. */
const quoted = (text: string): string => (text.length <= 24 ? `"${text}"` : `A text of ${text.length} characters`)

/**
 * Sompi as KAS, exactly, without trailing zeros: `150000000n` is `1.5`. Throws `ChainError` (`invalid-argument`) for
 * anything but a bigint.
 */
export function sompiToKaspa(sompi: bigint): string {
  return trimEnd(trimEnd(toDecimal(sompi, DECIMALS), '0'), '.')
}

/**
 * Sompi as KAS with exactly `decimals` (0 to 8) digits after the point, half a unit rounded away from zero: `1.50` of
 * `150000000n` and 2. Without `decimals` the same as `sompiToKaspa`.
 * Throws `ChainError` (`invalid-argument`) for other `decimals`, and for anything but a bigint.
 */
export function sompiToKaspaString(sompi: bigint, decimals?: number): string {
  if (decimals === undefined) return sompiToKaspa(sompi)
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > DECIMALS) {
    throw invalidArgument('decimals', `${String(decimals)} is not a number of decimals`, 'A whole number from 0 to 8.')
  }
  return toDecimal(sompi, decimals)
}

/**
 * Sompi as KAS for display: the exact amount and, if `network` is given, its currency unit: `1.5 TKAS`. A number must
 * be a whole one below 2^53; throws `ChainError` (`invalid-argument`) otherwise.
 */
export function numberToKaspa(sompi: bigint | number, network?: ChainNetwork): string {
  if (typeof sompi === 'number' && !Number.isSafeInteger(sompi)) {
    throw invalidArgument(
      'sompi',
      `${String(sompi)} is not an exact number of sompi`,
      'A bigint, or a whole number below 2^53.',
    )
  }
  const amount = sompiToKaspa(typeof sompi === 'number' ? BigInt(sompi) : sompi)
  return network === undefined ? amount : `${amount} ${currencyUnit(network)}`
}

/** Alias of `kaspaToSompi`, the counterpart of `numberToKaspa`. */
export const numberToSompi = (kas: string | number): bigint => kaspaToSompi(kas)

/** Currency unit of a network, mainnet by default. Throws `ChainError` (`invalid-argument`) for an unknown network. */
export function currencyUnit(network: ChainNetwork = 'mainnet'): CurrencyUnit {
  if (!Object.hasOwn(NETWORKS, network)) throw invalidArgument('network', `There is no network "${network}"`)
  return NETWORKS[network].unit
}

/** `sompi` with `decimals` digits after the point, half a unit rounded away from zero. */
function toDecimal(sompi: bigint, decimals: number): string {
  if (typeof sompi !== 'bigint') throw invalidArgument('sompi', `Sompi are a bigint, not a ${typeof sompi}`)
  const unit = 10n ** BigInt(DECIMALS - decimals)
  const magnitude = sompi < 0n ? -sompi : sompi
  const digits = ((magnitude + unit / 2n) / unit).toString().padStart(decimals + 1, '0')
  const sign = sompi < 0n && /[1-9]/.test(digits) ? '-' : ''
  const whole = sign + digits.slice(0, digits.length - decimals)
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`
}

/**
 * An amount as a page shows it, with digit groups and the unit of its network: `1 234.5 TKAS`. The narrow no-break
 * spaces keep the groups together in right-to-left text. Without a network the unit is KAS.
 */
export function toAmountText(sompi: bigint, network: string | null): string {
  const [whole = '', fraction] = sompiToKaspa(sompi).split('.')
  const grouped = groupDigits(whole, '\u202f')
  const unit = isChainNetwork(network) ? NETWORKS[network].unit : 'KAS'
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${unit}`
}

/** Groups the digits of an integer by threes: `-1234567` becomes `-1 234 567`. */
export function groupDigits(integer: string, separator: string): string {
  const sign = integer.startsWith('-') ? '-' : ''
  const digits = integer.slice(sign.length)
  const head = digits.length % 3
  const groups = [digits.slice(0, head), ...(digits.slice(head).match(/\d{3}/g) ?? [])]
  return sign + groups.filter((group) => group !== '').join(separator)
}
