/** Bundles TypeScript entries for Node into a folder, which `remove` removes. */
export function bundle(
  entries: Readonly<Record<string, string>>,
): Promise<{ readonly folder: string; readonly remove: () => void }>

/** Bundles TypeScript entries for Node, and calls `use` with the folder of the results. */
export function withBundle<T>(
  entries: Readonly<Record<string, string>>,
  use: (folder: string) => T,
): Promise<Awaited<T>>
