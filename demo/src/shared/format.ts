import { sompiToKaspa } from 'vue-chain'

/** Placeholder for an unknown value. */
export const UNKNOWN = '–'

const THIN_SPACE = '\u2009'

/** Groups the digits before the point by threes: `1234567.5` becomes `1 234 567.5`, with thin spaces. */
export function groupDigits(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.')
  const sign = whole.startsWith('-') ? '-' : ''
  const digits = whole.slice(sign.length)
  const head = digits.length % 3
  const groups = [digits.slice(0, head), ...(digits.slice(head).match(/\d{3}/g) ?? [])]
  const grouped = sign + groups.filter((group) => group !== '').join(THIN_SPACE)
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Formats sompi as exact KAS; a dash for undefined. */
export const toKas = (sompi: bigint | undefined): string =>
  sompi === undefined ? UNKNOWN : groupDigits(sompiToKaspa(sompi))

/** Formats a count or a score, also one given as decimal digits; a dash for undefined. */
export const toCount = (count: bigint | number | string | undefined): string =>
  count === undefined ? UNKNOWN : groupDigits(String(count))

/** Shortens a hash or an address to its ends; drops the address prefix. */
export function shorten(text: string, ends = 6): string {
  const body = text.slice(text.indexOf(':') + 1)
  return body.length <= 2 * ends ? body : `${body.slice(0, ends)}…${body.slice(-ends)}`
}

/** Formats an age in its largest unit; `now` below one second. */
export function toAge(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 1) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return `${toCount(Math.floor(seconds / 86_400))} d ago`
}
