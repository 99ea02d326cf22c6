import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import type { ListenAddress } from './listen.js'
import { createRpc, toConnectionContext, type Rpc, type RpcContext, type RpcServers } from './rpc.js'
import { openWrpcServer, type WrpcServer } from './wrpc-server.js'

/** The RPC side of a running node on its ports. */
export interface RpcProcess extends Rpc {
  readonly ports: { readonly borsh: number; readonly json: number }
}

/**
 * Starts both servers. Rejects with `ChainError` (`invalid-option`) if one cannot listen; then neither is left open.
 */
export async function startRpc(borsh: ListenAddress, json: ListenAddress, context: RpcContext): Promise<RpcProcess> {
  const started: RpcServers<WrpcServer> = {}
  const shared = toConnectionContext(context, started)
  const close = async () => {
    await Promise.all([started.borsh?.close(), started.json?.close()])
  }
  try {
    const servers = {
      borsh: (started.borsh = await openWrpcServer(borsh, { codec: createBorshCodec(), ...shared })),
      json: (started.json = await openWrpcServer(json, { codec: createJsonCodec(), ...shared })),
    }
    const ports = { borsh: servers.borsh.port, json: servers.json.port }
    return { ports, ...createRpc(servers, context.live, close) }
  } catch (error) {
    await close()
    throw error
  }
}
