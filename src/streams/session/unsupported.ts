import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcMethod } from '../../node/messages/records.js'
import { sinceOf } from '../../node/messages/since.js'

/** The error of a method that a node of `serverVersion` does not have: it would close the connection. Undefined if it has it. */
export function unsupported(method: RpcMethod, serverVersion: string): ChainRpcError | undefined {
  const since = sinceOf(method)
  if (since === undefined || !isOlder(serverVersion, since)) return undefined
  const cause = new ChainError(`The node has version ${serverVersion}; this method requires ${since}`)
  return new ChainRpcError(method, cause, { code: 'unsupported', hint: `Connect to a node of ${since} or later.` })
}

/** Whether `version` precedes `since`, both like `1.1.0`; suffixes (`-rc1`, a commit) are ignored. */
export function isOlder(version: string, since: string): boolean {
  const [a, b] = [version, since].map((text) => text.split(/[.\-+]/, 3).map((part) => Number.parseInt(part, 10) || 0))
  const at = [0, 1, 2].find((place) => a?.[place] !== b?.[place])
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0)
}
