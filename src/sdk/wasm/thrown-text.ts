/** Quirk: the SDK throws bare strings, which have no stack and no `message`. What it throws otherwise stays as it is. */
export const toError = (thrown: unknown): unknown => (typeof thrown === 'string' ? new Error(thrown) : thrown)
