/** All modules, as paths below src/. */
export const MODULES: readonly string[]
export function moduleOf(path: string): { module: string; layer: number } | undefined
export function forbiddenImport(from: string, to: string): string | undefined
export function forbiddenPackage(from: string, name: string): string | undefined
