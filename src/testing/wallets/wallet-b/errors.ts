/** Kastle's rejection: a message. The page script turns it into an `Error` without a code. */
export class KastleError extends Error {}

export const userDenied = (): KastleError => new KastleError('User denied')
export const notConnected = (): KastleError => new KastleError('Host not connected')
export const notInitialized = (): KastleError => new KastleError('Extension is not initialized')
