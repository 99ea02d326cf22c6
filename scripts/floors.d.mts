export function roomOf(path: string): { room: string; floor: number } | undefined
export function forbiddenImport(from: string, to: string): string | undefined
export function forbiddenPackage(from: string, name: string): string | undefined
