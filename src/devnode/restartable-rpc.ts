import { sleep } from '../loading/abortable.js'
import type { Rpc } from './server/rpc.js'
import type { Timers } from './timers.js'

/** The node's RPC servers, which keep their addresses across restarts. */
export interface RestartableRpc extends Rpc {
  /**
   * Stops the servers, runs `whileDown`, and starts them at the same addresses after `downtime` ms. A concurrent call
   * shares the restart; its `whileDown` does not run.
   */
  restart(downtime: number, whileDown?: () => void): Promise<void>
}

/** The servers `first`, which `start` replaces at each restart. */
export function createRestartableRpc(first: Rpc, start: () => Rpc | Promise<Rpc>, timers: Timers): RestartableRpc {
  let running: Rpc | undefined = first
  let restarting: Promise<void> | undefined
  const closed = new AbortController()

  const stop = async () => {
    const stopped = running
    running = undefined
    await stopped?.close()
  }
  const startAgain = async (downtime: number, whileDown: () => void) => {
    await stop()
    whileDown()
    await sleep(downtime, closed.signal, (ms, done) => timers.after(ms, done))
    if (!closed.signal.aborted) running = await start()
  }
  return {
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
