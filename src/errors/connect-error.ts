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

/** The close code of a connection that a message ended which is too long for its receiver. */
export const TOO_LONG = 1009

/** What the error of a lost connection says of its close code. */
export const droppedBy = (code: number | undefined): Pick<ChainRpcErrorOptions, 'argument' | 'hint'> =>
  code === TOO_LONG ? { argument: 'maxFrameSize', hint: 'Raise maxFrameSize, or request less at a time.' } : {}
