import { refuseArgument } from '../errors/wallet-refusal.js'

/**
 * An amount for a wallet that accepts numbers only. Refuses an amount above `Number.MAX_SAFE_INTEGER` instead of
 * rounding it.
 */
export function toSafeNumber(argument: string, sompi: bigint): number {
  if (sompi > BigInt(Number.MAX_SAFE_INTEGER)) {
    const cause = new RangeError(`${sompi} sompi is more than ${Number.MAX_SAFE_INTEGER}, the maximum of this wallet`)
    throw refuseArgument('sendKaspa', argument, cause, 'Split the payment into several parts.')
  }
  return Number(sompi)
}
