import { ChainError } from '../../errors/chain-error.js'
import { isCodeNotLoaded } from '../../errors/code-not-loaded.js'
import { engineDisposed } from '../../errors/engine-disposed.js'
import { ChainRpcError, type ChainRpcErrorCode } from '../../errors/rpc-error.js'
import type { ClosedReason } from '../../node/port.js'

/** The errors of a connection, each with its hint. All are `ChainRpcError('connect', cause)`. */

const HINTS: Partial<Record<ChainRpcErrorCode, string>> = {
  timeout: 'Check that a node listens there with wRPC in this encoding, or raise connectTimeout.',
  'connect-failed': 'Check the address, and that a node listens there.',
}

const connectError = (code: ChainRpcErrorCode, cause: unknown, hint = HINTS[code]): ChainRpcError =>
  new ChainRpcError('connect', cause, { code, hint })

/** Converts any failure to an error of `connect`; such an error is returned unchanged. */
export function toConnectError(cause: unknown): ChainRpcError {
  if (cause instanceof ChainRpcError) {
    return cause.method === 'connect' ? cause : connectError(cause.code, cause, cause.hint)
  }
  if (isCodeNotLoaded(cause)) return connectError(cause.code, cause, cause.hint)
  return connectError('connect-failed', cause)
}

/** Whether every further attempt at the same endpoint would fail alike. */
export const isPermanent = ({ code }: ChainRpcError): boolean =>
  code === 'wrong-network' || code === 'unsupported' || code === 'invalid-argument'

export const connectTimedOut = (url: string, timeout: number): ChainRpcError =>
  connectError('timeout', new ChainError(`${url} was not ready within ${timeout} ms`))

export const resolverTimedOut = (timeout: number): ChainRpcError =>
  connectError('timeout', new ChainError(`No resolver returned a node within ${timeout} ms`))

export const connectionLost = (url: string, { reason, cause }: ClosedReason): ChainRpcError =>
  connectError('connection-lost', new ChainError(`The connection to ${url} was lost: ${reason}`, { cause }))

export const aborted = (): ChainRpcError =>
  connectError('aborted', new ChainError('disconnect() aborted the attempt', { code: 'aborted' }))

export const superseded = (): ChainRpcError =>
  connectError('superseded', new ChainError('A newer connect() or reconnect() replaced it', { code: 'aborted' }))

export const disposed = (): ChainRpcError => connectError('disposed', engineDisposed())

export const noEndpoint = (): ChainRpcError =>
  connectError('connect-failed', new ChainError('There is neither a url nor a resolver'), 'Set url or enable resolver.')
