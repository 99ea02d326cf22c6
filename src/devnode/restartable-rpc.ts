import { setTimeout as pause } from 'node:timers/promises'
import type { ResolvedOptions } from './options.js'
import { startRpc, type RpcContext, type RpcProcess } from './server/rpc-process.js'

/** The node's RPC side as its clients know it: at the same address, whether or not it was started again meanwhile. */
export interface RestartableRpc extends RpcProcess {
  /** Ends it, waits `downtime` ms while nobody listens, and starts it again on the same ports. One that is under way is shared. */
  restart(downtime: number): Promise<void>
}

/** Starts it. Rejects with `ChainError` (`invalid-option`) where it cannot listen. */
export async function openRestartableRpc(options: ResolvedOptions, context: RpcContext): Promise<RestartableRpc> {
  const start = (borshPort: number, jsonPort: number) =>
    startRpc(
      { host: options.host, port: borshPort, option: 'borshPort' },
      { host: options.host, port: jsonPort, option: 'jsonPort' },
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
  const startAgain = async (downtime: number) => {
    await stop()
    await pause(downtime, undefined, { signal: closed.signal }).catch(() => undefined) // ended by close(): see the next line
    if (!closed.signal.aborted) running = await start(ports.borsh, ports.json)
  }
  return {
    ports,
    connections: () => running?.connections() ?? [],
    victims: () => running?.victims() ?? [],
    sockets: () => running?.sockets() ?? 0,
    restart: (downtime) => (restarting ??= startAgain(downtime).finally(() => (restarting = undefined))),
    async close() {
      closed.abort()
      await restarting
      await stop()
    },
  }
}
