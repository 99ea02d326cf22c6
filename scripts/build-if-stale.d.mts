/**
 * Builds library, SDK, demo (unless `page` is false) and declarations (if `types` is true) under `root`, each only
 * where it is missing or older than its sources.
 */
export function buildIfStale(root: string, parts?: { readonly page?: boolean; readonly types?: boolean }): Promise<void>

/** Whether a product is missing or older than one of its sources, files or folders. */
export function isStale(product: string, sources: readonly string[]): boolean
