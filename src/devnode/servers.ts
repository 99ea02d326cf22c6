import type { HttpHandler } from './http.js'
import type { ResolvedOptions } from './options.js'
import { openRestartableRpc, type RestartableRpc } from './restartable-rpc.js'
import { openHttpServer } from './server/http-server.js'
import { toUrlHost } from './server/listen.js'
import type { RpcContext } from './server/rpc-process.js'

/** The URLs of a devnode's servers. */
export interface DevnodeUrls {
  /** wRPC with Borsh and with JSON encoding. */
  readonly borsh: string
  readonly json: string
  readonly rest: string
  readonly control: string
}

/** The four servers of a devnode. */
export interface Servers {
  readonly urls: DevnodeUrls
  readonly rpc: RestartableRpc
  close(): Promise<void>
}

export interface ServerParts {
  readonly rpc: RpcContext
  readonly rest: HttpHandler
  readonly control: HttpHandler
}

/** Opens all four. Rejects with `ChainError` (`invalid-option`) if one cannot listen; then none is left open. */
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
    const rpc = await track(openRestartableRpc(options, parts.rpc))
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
