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

/** `2026-11`, UTC: what the indexer calls the present month. */
export const thisMonth = (): string => new Date().toISOString().slice(0, 7)

/** The indexer lets the present month stand for five minutes; what is paid here is to be seen at once. */
export const LIVELY = { staleTime: 5_000 } as const

export const toKasPoint = ({ timestamp, amount }: ChainRestAddressBalanceHistory): Point => ({
  time: timestamp,
  value: amount,
})

/** Two hashes a unit of difficulty and ten blocks a second; a local network is too slow for the indexer's own kH/s. */
export const toHashes = ({ timestamp, difficulty }: ChainRestHashrateHistoryResponse): Point => ({
  time: timestamp,
  value: difficulty * 2 * 10,
})

export const toPayments = ({ timestamp, regular }: ChainRestTransactionCountResponse): Point => ({
  time: timestamp,
  value: regular,
})

/** Whether all values are one. */
export const isLevel = ([first, ...others]: readonly Point[]): boolean =>
  first !== undefined && others.every(({ value }) => value === first.value)

/** Sums of each day, UTC. */
export function byDay(points: readonly Point[]): readonly Point[] {
  const days = new Map<number, number>()
  for (const { time, value } of points) {
    const day = time - (time % 86_400_000)
    days.set(day, (days.get(day) ?? 0) + value)
  }
  return [...days].map(([time, value]) => ({ time, value }))
}
