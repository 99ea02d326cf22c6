import { causeDetails } from '../../errors/shown.js'
import { ChainError } from '../../errors/chain-error.js'
import { isCodeNotLoaded, engineDisposed } from '../../errors/not-ready-error.js'
import { connectError, droppedBy, ChainRpcError } from '../../errors/rpc-error.js'
import type { ClosedReason } from '../../node/port.js'

/** The errors of a connection, each with its hint. All are `ChainRpcError('connect', cause)`. */

const TIMEOUT_HINT = 'Check that a node listens there with wRPC in this encoding, or raise connectTimeout.'

/** Converts any failure to an error of `connect`; such an error is returned unchanged. */
export function toConnectError(cause: unknown): ChainRpcError {
  const why = causeDetails(cause)
  if (cause instanceof ChainRpcError) {
    if (cause.method === 'connect') return cause
    return connectError(cause, { code: cause.code, why: withDetails(cause), hint: cause.hint })
  }
  if (isCodeNotLoaded(cause)) return connectError(cause, { code: cause.code, why, hint: cause.hint })
  return connectError(cause, {
    code: 'connect-failed',
    why: why === '' ? 'for an unknown reason' : why,
    hint: 'Check the address, and that a node listens there.',
  })
}

/** A call that is part of connecting. */
const withDetails = ({ message, details }: ChainRpcError): string =>
  details === '' ? message : `${message}: ${details}`

/** Whether every further attempt at the same endpoint would fail alike. */
export const isPermanent = ({ code }: ChainRpcError): boolean =>
  code === 'wrong-network' || code === 'unsupported' || code === 'invalid-argument'

export const connectTimedOut = (url: string, timeout: number): ChainRpcError =>
  connectError(new ChainError(`${url} was not ready within ${timeout} ms`), {
    code: 'timeout',
    url,
    why: `not ready within ${timeout} ms`,
    hint: TIMEOUT_HINT,
  })

export const resolverTimedOut = (timeout: number): ChainRpcError =>
  connectError(new ChainError(`No resolver returned a node within ${timeout} ms`), {
    code: 'timeout',
    why: `no resolver returned a node within ${timeout} ms`,
    hint: TIMEOUT_HINT,
  })

export function connectionLost(url: string, { code, reason, cause }: ClosedReason): ChainRpcError {
  const message = `The connection to ${url} was lost: ${reason}`
  return new ChainRpcError('connect', new ChainError(message, { cause }), {
    code: 'connection-lost',
    message,
    ...droppedBy(code),
  })
}

export const aborted = (): ChainRpcError =>
  connectError(new ChainError('disconnect() aborted the attempt', { code: 'aborted' }), {
    code: 'aborted',
    why: 'disconnect() aborted the attempt',
  })

export const superseded = (): ChainRpcError =>
  connectError(new ChainError('A newer connect() or reconnect() replaced it', { code: 'aborted' }), {
    code: 'superseded',
    why: 'a newer connect() or reconnect() replaced it',
  })

export const disposed = (): ChainRpcError => {
  const cause = engineDisposed()
  return connectError(cause, { code: 'disposed', why: cause.message, hint: undefined })
}

export const noEndpoint = (): ChainRpcError =>
  connectError(new ChainError('There is neither a url nor a resolver'), {
    code: 'connect-failed',
    why: 'there is neither a url nor a resolver',
    hint: 'Set url or enable resolver.',
  })
