/** Bundles TypeScript entries for Node, and calls `use` with the folder of the results. */
export function withBundle<T>(
  entries: Readonly<Record<string, string>>,
  use: (folder: string) => T,
): Promise<Awaited<T>>
