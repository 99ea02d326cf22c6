import type { ResolvedOptions } from '../options.js'
import type { DevnodeUrls, ServerParts, Servers } from '../servers.js'
import { openHttpServer } from './http-server.js'
import { toUrlHost } from './listen.js'
import { openRpc } from './open-rpc.js'

/**
 * Opens all four servers. Rejects with `ChainError` (`invalid-option`) if one cannot listen; then none is left open.
 */
export async function openServers(options: ResolvedOptions, parts: ServerParts): Promise<Servers> {
  const { host, origins } = options
  const opened: { close(): Promise<void> }[] = []
  const track = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const server = await opening
    opened.push(server)
    return server
  }
  const close = async () => {
    await Promise.all(opened.map((server) => server.close()))
  }
  try {
    const rpc = await track(openRpc(options, parts.rpc))
    const rest = await track(openHttpServer({ host, origins, port: options.restPort, option: 'restPort' }, parts.rest))
    const control = await track(
      openHttpServer({ host, origins, port: options.controlPort, option: 'controlPort' }, parts.control),
    )
    return { rpc, close, urls: toUrls(host, { ...rpc.ports, rest: rest.port, control: control.port }) }
  } catch (error) {
    await close()
    throw error
  }
}

function toUrls(host: string, ports: Readonly<Record<keyof DevnodeUrls, number>>): DevnodeUrls {
  const name = toUrlHost(host)
  return {
    borsh: `ws://${name}:${ports.borsh}`,
    json: `ws://${name}:${ports.json}`,
    rest: `http://${name}:${ports.rest}`,
    control: `http://${name}:${ports.control}`,
  }
}
