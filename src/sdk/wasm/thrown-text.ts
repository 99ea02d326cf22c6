/** Quirk: the SDK throws bare strings, which have no stack and no `message`. Other values are returned unchanged. */
export const toError = (thrown: unknown): unknown => (typeof thrown === 'string' ? new Error(thrown) : thrown)
