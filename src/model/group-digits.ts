/** Groups the digits of an integer by threes: `-1234567` becomes `-1 234 567`. */
export function groupDigits(integer: string, separator: string): string {
  const sign = integer.startsWith('-') ? '-' : ''
  const digits = integer.slice(sign.length)
  const head = digits.length % 3
  const groups = [digits.slice(0, head), ...(digits.slice(head).match(/\d{3}/g) ?? [])]
  return sign + groups.filter((group) => group !== '').join(separator)
}
