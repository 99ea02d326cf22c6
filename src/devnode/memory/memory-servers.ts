import { createRestartableRpc } from '../restartable-rpc.js'
import type { DevnodeUrls, ServerParts, Servers } from '../servers.js'
import type { MemoryNetwork } from './memory-network.js'
import { startMemoryRpc } from './memory-rpc.js'

/** Serves a node in a network in memory. While its RPC restarts, connections to it fail. */
export function openMemoryServers(network: MemoryNetwork, parts: ServerParts): Servers {
  const urls = toUrls(network.nextHost())
  const start = () => {
    const rpc = startMemoryRpc(parts.rpc)
    network.listen(urls.borsh, rpc.borsh.accept)
    network.listen(urls.json, rpc.json.accept)
    const close = () => {
      network.close(urls.borsh)
      network.close(urls.json)
      return rpc.close()
    }
    return { ...rpc, close }
  }
  network.serve(urls.rest, parts.rest)
  network.serve(urls.control, parts.control)
  const rpc = createRestartableRpc(start(), start, parts.rpc.timers)
  const close = async () => {
    network.close(urls.rest)
    network.close(urls.control)
    await rpc.close()
  }
  return { urls, rpc, close }
}

const toUrls = (host: string): DevnodeUrls => ({
  borsh: `ws://borsh.${host}`,
  json: `ws://json.${host}`,
  rest: `http://rest.${host}`,
  control: `http://control.${host}`,
})
