import type { BenchRow } from '../../bench/row.js'

interface Result {
  readonly name: string
  readonly rows: readonly BenchRow[]
}

/** What `--strict` fails for, as lines; empty where every goal is met. */
export function complaintsOf(results: readonly Result[]): string[]
