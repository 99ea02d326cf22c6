import { isProvider } from '../provider.js'
import type { ReportedBalance } from '../port.js'

/**
 * A balance in sompi, from numbers or strings. Compatible wallets report the parts without their sum, or the sum alone.
 * Null if neither is complete, or a figure is not an integer.
 */
export function readBalance(result: unknown): ReportedBalance | null {
  if (!isProvider(result)) return null
  const given = [result.confirmed, result.unconfirmed, result.total].filter((figure) => figure !== undefined)
  if (given.some((figure) => toSompi(figure) === undefined)) return null
  const [confirmed, unconfirmed, total] = [result.confirmed, result.unconfirmed, result.total].map(toSompi)
  if (confirmed !== undefined && unconfirmed !== undefined)
    return { confirmed, unconfirmed, total: total ?? confirmed + unconfirmed }
  return total === undefined ? null : { total }
}

/** A balance of one figure, as Kastle reports it. Null if it is not an integer. */
export function readTotal(result: unknown): { readonly total: bigint } | null {
  const total = isProvider(result) ? toSompi(result.balance) : undefined
  return total === undefined ? null : { total }
}

const toSompi = (figure: unknown): bigint | undefined =>
  /^-?\d+$/.test(String(figure)) ? BigInt(String(figure)) : undefined
