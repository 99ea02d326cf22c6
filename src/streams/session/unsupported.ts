import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { isOlder } from '../../model/version.js'
import type { RpcMethod } from '../../node/messages/records.js'
import { sinceOf } from '../../node/messages/since.js'

/**
 * The error of a method that a node of `serverVersion` does not have: it would close the connection. Undefined if it
 * has it.
 */
export function unsupported(method: RpcMethod, serverVersion: string): ChainRpcError | undefined {
  const since = sinceOf(method)
  if (since === undefined || !isOlder(serverVersion, since)) return undefined
  const cause = new ChainError(`The node has version ${serverVersion}; this method requires ${since}`)
  return new ChainRpcError(method, cause, { code: 'unsupported', hint: `Connect to a node of ${since} or later.` })
}
