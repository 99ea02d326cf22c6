/** The names that each file exports, sorted, by file; paths begin at `root`. */
export function exportedNames(root: string, files: readonly string[]): Promise<Map<string, readonly string[]>>
