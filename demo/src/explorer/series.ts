import type {
  ChainRestAddressBalanceHistory,
  ChainRestHashrateHistoryResponse,
  ChainRestTransactionCountResponse,
} from 'vue-chain'

/** A value at a time. */
export interface Point {
  /** Unix milliseconds. */
  readonly time: number
  readonly value: number
}

/** The current month in UTC as the indexer expects it: `2026-11`. */
export const thisMonth = (): string => new Date().toISOString().slice(0, 7)

/** Overrides the indexer's cache time of five minutes for the current month. */
export const SHORT_STALE_TIME = { staleTime: 5_000 } as const

export const toKasPoint = ({ timestamp, amount }: ChainRestAddressBalanceHistory): Point => ({
  time: timestamp,
  value: amount,
})

/** Two hashes per unit of difficulty at ten blocks per second; the indexer's kH/s round to 0 on a local network. */
export const toHashes = ({ timestamp, difficulty }: ChainRestHashrateHistoryResponse): Point => ({
  time: timestamp,
  value: difficulty * 2 * 10,
})

export const toPayments = ({ timestamp, regular }: ChainRestTransactionCountResponse): Point => ({
  time: timestamp,
  value: regular,
})

/** Whether all values are equal. */
export const isConstant = ([first, ...others]: readonly Point[]): boolean =>
  first !== undefined && others.every(({ value }) => value === first.value)

/** Sums by UTC day. */
export function byDay(points: readonly Point[]): readonly Point[] {
  const days = new Map<number, number>()
  for (const { time, value } of points) {
    const day = time - (time % 86_400_000)
    days.set(day, (days.get(day) ?? 0) + value)
  }
  return [...days].map(([time, value]) => ({ time, value }))
}
