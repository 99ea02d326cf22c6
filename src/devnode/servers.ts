import type { HttpHandler } from './http.js'
import type { RestartableRpc } from './restartable-rpc.js'
import type { RpcContext } from './server/rpc.js'

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

/** What the servers serve. */
export interface ServerParts {
  readonly rpc: RpcContext
  readonly rest: HttpHandler
  readonly control: HttpHandler
}
