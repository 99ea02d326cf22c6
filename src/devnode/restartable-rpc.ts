import { setTimeout as pause } from 'node:timers/promises'
import type { ResolvedOptions } from './options.js'
import { startRpc, type RpcContext, type RpcProcess } from './server/rpc-process.js'

/** The node's RPC servers, which keep their addresses across restarts. */
export interface RestartableRpc extends RpcProcess {
  /**
   * Stops the servers, runs `whileDown`, and starts them on the same ports after `downtime` ms. A concurrent call shares the
   * restart; its `whileDown` does not run.
   */
  restart(downtime: number, whileDown?: () => void): Promise<void>
}

/** Starts the servers. Rejects with `ChainError` (`invalid-option`) if one cannot listen. */
export async function openRestartableRpc(options: ResolvedOptions, context: RpcContext): Promise<RestartableRpc> {
  const { host, origins } = options
  const start = (borshPort: number, jsonPort: number) =>
    startRpc(
      { host, origins, port: borshPort, option: 'borshPort' },
      { host, origins, port: jsonPort, option: 'jsonPort' },
      context,
    )
  let running: RpcProcess | undefined = await start(options.borshPort, options.jsonPort)
  let restarting: Promise<void> | undefined
  const { ports } = running
  const closed = new AbortController()

  const stop = async () => {
    const stopped = running
    running = undefined
    await stopped?.close()
  }
  const startAgain = async (downtime: number, whileDown: () => void) => {
    await stop()
    whileDown()
    await pause(downtime, undefined, { signal: closed.signal }).catch(() => undefined) // aborted by close(): see the next line
    if (!closed.signal.aborted) running = await start(ports.borsh, ports.json)
  }
  return {
    ports,
    connections: () => running?.connections() ?? [],
    targets: () => running?.targets() ?? [],
    sockets: () => running?.sockets() ?? 0,
    restart: (downtime, whileDown = () => undefined) =>
      (restarting ??= startAgain(downtime, whileDown).finally(() => (restarting = undefined))),
    async close() {
      closed.abort()
      await restarting
      await stop()
    },
  }
}
