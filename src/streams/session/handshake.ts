import { catchError, map, type Observable } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { connectError, ChainRpcError } from '../../errors/rpc-error.js'
import type { ChainNetwork } from '../../model/network.js'
import type { RpcResponse } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import type { Target } from '../connection/endpoints.js'
import type { ServerInfo } from './server-state.js'

/** The supported version of the node's RPC API. Every release since 0.13 has it. */
const RPC_API_VERSION = 1

type InfoResponse = RpcResponse<'getServerInfo'>

/**
 * Requests and checks the node's information. Errors with `ChainRpcError`: `wrong-network`, `unsupported` for another
 * RPC version, or `connection-lost` if the node closes the socket, as it does on the port of the other encoding.
 */
export function handshake$(connection: NodeConnection, target: Target, timeout: number): Observable<InfoResponse> {
  const { url } = connection.endpoint
  return connection.call('getServerInfo', {}, { timeout }).pipe(
    map((info) => {
      if (info.rpcApiVersion !== RPC_API_VERSION) throw otherApi(url, info)
      requireNetwork(url, info, target)
      return info
    }),
    catchError((error: unknown) => {
      throw error instanceof ChainRpcError && error.code === 'connection-lost' ? closedEarly(url, target, error) : error
    }),
  )
}

/** Throws `ChainRpcError` (`wrong-network`) if a node does not serve the target's network. */
export function requireNetwork(url: string, { networkId }: Pick<ServerInfo, 'networkId'>, { network }: Target): void {
  if (networkId !== network) throw otherNetwork(url, networkId, network)
}

const closedEarly = (url: string, { encoding }: Target, cause: ChainRpcError): ChainRpcError =>
  connectError(new ChainError(`${url} closed the connection during the handshake`, { cause }), {
    code: 'connection-lost',
    url,
    why: 'the node closed the connection during the handshake',
    hint: `Check that the port is a node's wRPC port for ${encoding}: each encoding has its own port.`,
  })

const otherNetwork = (url: string, networkId: string, network: ChainNetwork): ChainRpcError =>
  connectError(new ChainError(`The node at ${url} serves ${networkId}, not ${network}`), {
    code: 'wrong-network',
    url,
    why: `the node serves ${networkId}, not ${network}`,
    hint: `Set url to a ${network} node, or set network to the node's network.`,
  })

const otherApi = (url: string, { rpcApiVersion, serverVersion }: InfoResponse): ChainRpcError =>
  connectError(
    new ChainError(`The node at ${url} (${serverVersion}) has RPC version ${rpcApiVersion}, not ${RPC_API_VERSION}`),
    {
      code: 'unsupported',
      url,
      why: `the node (${serverVersion}) has RPC version ${rpcApiVersion}, not ${RPC_API_VERSION}`,
      hint: 'Set url to a node of version 0.15 to 2.x.',
    },
  )
