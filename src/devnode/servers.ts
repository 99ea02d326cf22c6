import type { HttpHandler } from './http.js'
import type { ResolvedOptions } from './options.js'
import { openRestartableRpc, type RestartableRpc } from './restartable-rpc.js'
import { openHttpServer } from './server/http-server.js'
import { toUrlHost } from './server/listen.js'
import type { RpcContext } from './server/rpc-process.js'

/** Where a devnode is to be found. */
export interface DevnodeUrls {
  /** wRPC in Borsh, and in JSON. */
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

/** Opens all four. Rejects with `ChainError` (`invalid-option`) where one cannot listen; then none does. */
export async function openServers(options: ResolvedOptions, parts: ServerParts): Promise<Servers> {
  const { host } = options
  const opened: { close(): Promise<void> }[] = []
  const opening = async <T extends { close(): Promise<void> }>(server: Promise<T>): Promise<T> => {
    const standing = await server
    opened.push(standing)
    return standing
  }
  const close = async () => {
    await Promise.all(opened.map((server) => server.close()))
  }
  try {
    const rpc = await opening(openRestartableRpc(options, parts.rpc))
    const rest = await opening(openHttpServer({ host, port: options.restPort, option: 'restPort' }, parts.rest))
    const control = await opening(
      openHttpServer({ host, port: options.controlPort, option: 'controlPort' }, parts.control),
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
