import type { Plugin, Rolldown } from 'vite'

export const ENTRIES_FOR_APPS: readonly string[]

export function distLayout(
  sources: string,
  entries: readonly string[],
  others: readonly string[],
): Rolldown.OutputOptions

export function importsByCondition(): Plugin

export function compact(fileName: string, code: string): string
