import { isProvider } from '../provider.js'
import type { WalletBalance } from '../port.js'

/** A balance in sompi, from numbers or strings. Null if a figure is missing or not an integer. */
export function readBalance(result: unknown): WalletBalance | null {
  if (!isProvider(result)) return null
  const [confirmed, unconfirmed, total] = [result.confirmed, result.unconfirmed, result.total].map(toSompi)
  if (confirmed === undefined || unconfirmed === undefined || total === undefined) return null
  return { confirmed, unconfirmed, total }
}

/** A balance of one figure, as Kastle reports it. Null if it is not an integer. */
export function readTotal(result: unknown): { readonly total: bigint } | null {
  const total = isProvider(result) ? toSompi(result.balance) : undefined
  return total === undefined ? null : { total }
}

const toSompi = (figure: unknown): bigint | undefined =>
  /^-?\d+$/.test(String(figure)) ? BigInt(String(figure)) : undefined
