import type { ResolvedOptions } from '../options.js'
import { createRestartableRpc, type RestartableRpc } from '../restartable-rpc.js'
import { startRpc } from './rpc-process.js'
import type { RpcContext } from './rpc.js'

/** RPC servers on ports that stay the same across restarts. */
export interface ListeningRpc extends RestartableRpc {
  readonly ports: { readonly borsh: number; readonly json: number }
}

/** Starts the servers. Rejects with `ChainError` (`invalid-option`) if one cannot listen. */
export async function openRpc(options: ResolvedOptions, context: RpcContext): Promise<ListeningRpc> {
  const { host, origins } = options
  const start = (borshPort: number, jsonPort: number) =>
    startRpc(
      { host, origins, port: borshPort, option: 'borshPort' },
      { host, origins, port: jsonPort, option: 'jsonPort' },
      context,
    )
  const first = await start(options.borshPort, options.jsonPort)
  const { ports } = first
  return { ports, ...createRestartableRpc(first, () => start(ports.borsh, ports.json), context.timers) }
}
