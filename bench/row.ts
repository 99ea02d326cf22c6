/** One line of the benchmark table: what was measured, against which named peer in the same run, and the goal. */
export interface BenchRow {
  readonly what: string
  readonly against: string
  /** Ours divided by the peer's; lower is better unless `goal` says otherwise. */
  readonly ratio: number
  /** As a reader writes it: `≤ 0.35 ×`. */
  readonly goal: string
  readonly met: boolean
  /** The absolute figures, so that a reader can judge the ratio. */
  readonly detail: string
}
