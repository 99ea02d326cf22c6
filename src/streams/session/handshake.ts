import { catchError, map, type Observable } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcResponse } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import type { Target } from '../connection/target.js'

/** The version of the node's RPC that we speak. Every release since 0.13 has it. */
const RPC_API_VERSION = 1

type ServerInfo = RpcResponse<'getServerInfo'>

/**
 * Asks a node who it is. Errors with `ChainRpcError`: `wrong-network`, `unsupported` where it speaks another RPC, or
 * `connection-lost` where it hangs up, as a node does on the port of the other encoding.
 */
export function handshake$(connection: NodeConnection, target: Target, timeout: number): Observable<ServerInfo> {
  const { url } = connection.endpoint
  return connection.call('getServerInfo', {}, { timeout }).pipe(
    map((info) => {
      if (info.rpcApiVersion !== RPC_API_VERSION) throw otherApi(url, info)
      if (info.networkId !== target.network) throw otherNetwork(url, info, target)
      return info
    }),
    catchError((error: unknown) => {
      throw error instanceof ChainRpcError && error.code === 'connection-lost' ? hungUp(url, target, error) : error
    }),
  )
}

const hungUp = (url: string, { encoding }: Target, cause: ChainRpcError): ChainRpcError =>
  new ChainRpcError('connect', new ChainError(`${url} hung up before it said who it is`, { cause }), {
    code: 'connection-lost',
    hint: `Check that it is a node's port for ${encoding}: each encoding has a port of its own.`,
  })

const otherNetwork = (url: string, { networkId }: ServerInfo, { network }: Target): ChainRpcError =>
  new ChainRpcError('connect', new ChainError(`The node at ${url} serves ${networkId}, not ${network}`), {
    code: 'wrong-network',
    hint: `Give the url of a ${network} node, or set network to what the node serves.`,
  })

const otherApi = (url: string, { rpcApiVersion, serverVersion }: ServerInfo): ChainRpcError =>
  new ChainRpcError(
    'connect',
    new ChainError(`The node at ${url} (${serverVersion}) speaks RPC version ${rpcApiVersion}, not ${RPC_API_VERSION}`),
    { code: 'unsupported', hint: 'Give the url of a node of generation 0.15 to 2.x.' },
  )
