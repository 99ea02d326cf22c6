import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcMethod } from '../../node/messages/records.js'
import { sinceOf } from '../../node/messages/since.js'

/** Why a node of `serverVersion` is not asked for `method`: it would close the connection. Undefined where it may be. */
export function unsupported(method: RpcMethod, serverVersion: string): ChainRpcError | undefined {
  const since = sinceOf(method)
  if (since === undefined || !isOlder(serverVersion, since)) return undefined
  const cause = new ChainError(`The node is of version ${serverVersion}; this method came with ${since}`)
  return new ChainRpcError(method, cause, { code: 'unsupported', hint: `Connect to a node of ${since} or later.` })
}

/** Whether `version` comes before `since`, both like `1.1.0`; what follows (`-rc1`, a commit) does not count. */
export function isOlder(version: string, since: string): boolean {
  const [a, b] = [version, since].map((text) => text.split(/[.\-+]/, 3).map((part) => Number.parseInt(part, 10) || 0))
  const at = [0, 1, 2].find((place) => a?.[place] !== b?.[place])
  return at !== undefined && (a?.[at] ?? 0) < (b?.[at] ?? 0)
}
