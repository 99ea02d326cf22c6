import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'

/**
 * The end of a connection whose node stopped responding. A file of its own, because it is loaded with the heartbeat.
 */
export const pingTimedOut = (url: string, timeout: number): ChainRpcError =>
  new ChainRpcError('connect', new ChainError(`${url} did not respond to a ping within ${timeout} ms`), {
    code: 'connection-lost',
    message: `The connection to ${url} was lost: no response to a ping within ${timeout} ms`,
  })
