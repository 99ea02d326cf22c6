import type { BenchRow } from '../../bench/row.js'

export const HEAD: readonly string[]

export function lineOf(row: BenchRow): string

export function publish(page: string, rows: readonly BenchRow[], options: { readonly isComplete: boolean }): string
