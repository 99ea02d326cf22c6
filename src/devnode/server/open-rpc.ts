import type { ResolvedOptions } from '../options.js'
import { createRestartableRpc, type RestartableRpc } from '../restartable-rpc.js'
import { type RpcContext, createRpc, toConnectionContext, type Rpc, type RpcServers } from './rpc.js'
import { createBorshCodec } from '../../wrpc/borsh/codec.js'
import { createJsonCodec } from '../../wrpc/json/codec.js'
import type { ListenAddress } from './listen.js'
import { openWrpcServer, type WrpcServer } from './wrpc-server.js'

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

/** The RPC side of a running node on its ports. */
interface RpcProcess extends Rpc {
  readonly ports: { readonly borsh: number; readonly json: number }
}

/**
 * Starts both servers. Rejects with `ChainError` (`invalid-option`) if one cannot listen; then neither is left open.
 */
async function startRpc(borsh: ListenAddress, json: ListenAddress, context: RpcContext): Promise<RpcProcess> {
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
