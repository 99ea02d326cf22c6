/** The node's response to a call: a record, or its error message. */
export type RpcResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }

export const succeed = <T>(value: T): RpcResult<T> => ({ ok: true, value })

export const fail = (message: string): RpcResult<never> => ({ ok: false, message })
