import { ChainRpcError, type ChainRpcErrorCode, type ChainRpcErrorOptions } from './rpc-error.js'

export interface ConnectErrorOptions extends Omit<ChainRpcErrorOptions, 'code' | 'message'> {
  readonly code: ChainRpcErrorCode
  /** The endpoint, where one was chosen. */
  readonly url?: string | undefined
  /** Why, in words that follow a colon. */
  readonly why: string
}

/** The error of `connect`: its message has what failed, where and why in one line. */
export const connectError = (cause: unknown, { url, why, ...options }: ConnectErrorOptions): ChainRpcError =>
  new ChainRpcError('connect', cause, {
    ...options,
    message: url === undefined ? `Could not connect: ${why}` : `Could not connect to ${url}: ${why}`,
  })
