/** The scripts of the contracts that this engine knows, by their keys: an ordinary payment to one is refused. */
export const contractScripts = (): Set<string> => new Set()
