import type { Rolldown } from 'vite'

export function distLayout(sources: string, entries: readonly string[]): Rolldown.OutputOptions
