/** What a run with faults found. */
export interface ChaosResult {
  /** How often each fault was caused. */
  readonly counts: Readonly<Record<string, number>>
  /** What differs at the end between what was delivered and the node. */
  readonly differences: readonly string[]
  /** Instances that ended by themselves for another reason than a take-over. */
  readonly failures: readonly string[]
  readonly rows: number
}
