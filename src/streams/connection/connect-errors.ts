import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError, type ChainRpcErrorCode } from '../../errors/rpc-error.js'
import type { ClosedReason } from '../../node/port.js'

/** The failures of a connection, each with its remedy. All are `ChainRpcError('connect', cause)`. */

const HINTS: Partial<Record<ChainRpcErrorCode, string>> = {
  timeout: 'Check that a node listens there and speaks wRPC in this encoding, or raise connectTimeout.',
  'connect-failed': 'Check the address, and that a node listens there.',
}

const connectError = (code: ChainRpcErrorCode, cause: unknown, hint = HINTS[code]): ChainRpcError =>
  new ChainRpcError('connect', cause, { code, hint })

/** What failed on the way to a connection, as everybody may see it; an error that says so already stays what it is. */
export function toConnectError(cause: unknown): ChainRpcError {
  if (cause instanceof ChainRpcError) {
    return cause.method === 'connect' ? cause : connectError(cause.code, cause, cause.hint)
  }
  return connectError('connect-failed', cause)
}

/** Whether another attempt at the same endpoint could only end the same way. */
export const isForGood = ({ code }: ChainRpcError): boolean =>
  code === 'wrong-network' || code === 'unsupported' || code === 'invalid-argument'

export const timedOut = (url: string, timeout: number): ChainRpcError =>
  connectError('timeout', new ChainError(`${url} was not ready within ${timeout} ms`))

export const unresolved = (timeout: number): ChainRpcError =>
  connectError('timeout', new ChainError(`No resolver named a node within ${timeout} ms`))

export const connectionLost = (url: string, { reason, cause }: ClosedReason): ChainRpcError =>
  connectError('connection-lost', new ChainError(`The connection to ${url} was lost: ${reason}`, { cause }))

export const unanswered = (url: string, timeout: number): ChainRpcError =>
  connectError('connection-lost', new ChainError(`${url} left a ping unanswered for ${timeout} ms`))

export const cancelled = (): ChainRpcError =>
  connectError('cancelled', new ChainError('disconnect() ended the attempt', { code: 'interrupted' }))

export const superseded = (): ChainRpcError =>
  connectError('superseded', new ChainError('A newer connect() or reconnect() took its place', { code: 'interrupted' }))

export const disposed = (): ChainRpcError =>
  connectError('cancelled', new ChainError('The engine has been disposed of', { code: 'disposed' }))

export const noWay = (): ChainRpcError =>
  connectError('connect-failed', new ChainError('There is neither an endpoint nor a resolver to ask'), 'Give a url.')
