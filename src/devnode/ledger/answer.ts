/** What the node answers: a record, or its refusal, in its own words. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }

export const give = <T>(value: T): Answer<T> => ({ ok: true, value })

export const refuse = (message: string): Answer<never> => ({ ok: false, message })
