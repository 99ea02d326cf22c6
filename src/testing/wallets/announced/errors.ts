/** An announced wallet's rejection: an `Error` with a code of EIP-1193. */
export class ProviderError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const userRejected = (): ProviderError => new ProviderError(4001, 'The user rejected the request.')
export const unauthorized = (): ProviderError => new ProviderError(4100, 'The site is not authorized.')
export const unsupported = (method: string): ProviderError => new ProviderError(4200, `Unsupported method: ${method}`)
export const disconnected = (code: number): ProviderError => new ProviderError(code, 'The node is unreachable.')
export const unknownNetwork = (network: string): ProviderError =>
  new ProviderError(4902, `Unrecognized network: ${network}`)
export const promptPending = (): ProviderError => new ProviderError(-32002, 'A request is already pending.')
export const invalidParams = (message: string): ProviderError => new ProviderError(-32602, message)
export const internalError = (message: string): ProviderError => new ProviderError(-32603, message)
