/** How Kastle refuses: with words. The page makes an `Error` of them, which has no code. */
export class Refusal extends Error {}

export const userDenied = (): Refusal => new Refusal('User denied')
export const notConnected = (): Refusal => new Refusal('Host not connected')
export const notInitialized = (): Refusal => new Refusal('Extension is not initialized')
