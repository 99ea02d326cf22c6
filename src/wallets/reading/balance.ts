import { isProvider } from '../provider.js'
import type { WalletBalance } from '../port.js'

/** A balance in sompi, from numbers or texts. Null where any figure is missing or no whole number. */
export function readBalance(answer: unknown): WalletBalance | null {
  if (!isProvider(answer)) return null
  const [confirmed, unconfirmed, total] = [answer.confirmed, answer.unconfirmed, answer.total].map(toSompi)
  if (confirmed === undefined || unconfirmed === undefined || total === undefined) return null
  return { confirmed, unconfirmed, total }
}

const toSompi = (figure: unknown): bigint | undefined =>
  /^-?\d+$/.test(String(figure)) ? BigInt(String(figure)) : undefined
