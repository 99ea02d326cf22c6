import { refuseArgument } from '../errors/wallet-refusal.js'

/**
 * An amount for a wallet that takes numbers only. One that a number cannot hold is refused: rounded, it would be another
 * amount. None of them takes a bigint.
 */
export function toSafeNumber(argument: string, sompi: bigint): number {
  if (sompi > BigInt(Number.MAX_SAFE_INTEGER)) {
    const cause = new RangeError(
      `${sompi} sompi is more than ${Number.MAX_SAFE_INTEGER}, the most that this wallet takes`,
    )
    throw refuseArgument('sendKaspa', argument, cause, 'Pay it in several parts.')
  }
  return Number(sompi)
}
