/** Builds library, SDK and demo under `root`, each only where it is missing or older than its sources. */
export function buildIfStale(root: string): Promise<void>
