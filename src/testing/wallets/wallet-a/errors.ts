/** KasWare's rejection: a plain object, not an `Error`. */
export interface KaswareError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export const userRejected: KaswareError = { code: 4001, message: 'User rejected the request.' }

/** Has the code of a user rejection, but means that no wallet has been created. */
export const noWallet: KaswareError = { code: 4001, message: 'wallet must has at least one account' }

export const unauthorized: KaswareError = {
  code: 4100,
  message: 'The requested account and/or method has not been authorized by the user.',
}

/** Any failure inside the extension; the stack names its files. A thrown string, as the SDK throws, leaves no trace. */
export const internalError = (thrown: Error | string): KaswareError =>
  typeof thrown === 'string'
    ? { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: {} } }
    : { code: -32603, message: thrown.message, data: { originalError: toRecord(thrown) } }

const toRecord = ({ message }: Error): object => ({
  message,
  stack: `Error: ${message}\n    at chrome-extension://fake/background.js`,
})

/** Thrown by the page script before sending, therefore a real `Error`. */
export const tooManyCalls = (): Error => Object.assign(new Error('Request limit exceeded.'), { code: -32005 })
