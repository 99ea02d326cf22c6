/** One row of the benchmark table: the measurement, the peer in the same run and the goal. */
export interface BenchRow {
  readonly what: string
  readonly against: string
  /** Ours divided by the peer's; lower is better unless `goal` says otherwise. */
  readonly ratio: number
  /** As text: `≤ 0.35 ×`. Null for a row that is information. */
  readonly goal: string | null
  /** True without a goal. */
  readonly met: boolean
  /** The absolute figures behind the ratio. */
  readonly detail: string
}
