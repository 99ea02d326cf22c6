/** Builds library, SDK and demo under `root`, each only where it is missing or older than its sources. */
export function buildIfStale(root: string): Promise<void>

/** Whether a product is missing or older than one of its sources, files or folders. */
export function isStale(product: string, sources: readonly string[]): boolean
