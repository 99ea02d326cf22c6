import { Subscription, catchError, defer, firstValueFrom, map, of, switchMap, timeout, type Observable } from 'rxjs'
import { hostOf } from '../../model/ip.js'
import type { RpcMethod, RpcRequest, RpcResponse, RpcAcceptingBlock } from '../../node/messages/records.js'
import type { NodeConnection, ChainBlocks, ChainIds } from '../../node/port.js'
import { handshake$ } from '../session/handshake.js'
import type { NodeLink } from '../session/node-link.js'

/** Requests to one node. */
export interface NodeRequests extends PageRequests {
  /** Sends one request. Rejects with `ChainRpcError`. */
  call<M extends RpcMethod>(method: M, request: RpcRequest<M>): Promise<RpcResponse<M>>
}

/** A node that receives requests beside the connected one, on a connection of its own. */
export interface Witness extends NodeRequests {
  readonly url: string
}

/** Opens connections to the endpoints of other hosts than the connected one. */
interface Witnesses {
  /** One by one, each while its turn is; those that cannot be reached are left out. */
  others(connectedUrl: string): AsyncGenerator<Witness, undefined, undefined>
}

type WitnessDeps = Pick<NodeLink, 'platform' | 'target' | 'dial'>

/** How long, in ms, a connection and its handshake may take. */
const CONNECT_TIMEOUT = 10_000

/** Connections stay open for the next question, until `lifetime` ends. */
export function createWitnesses(node: WitnessDeps, lifetime: Subscription): Witnesses {
  const open = new Map<string, Witness>()

  async function openAt(url: string): Promise<Witness | null> {
    const known = open.get(url)
    if (known !== undefined) return known
    const connection = await firstValueFrom(connection$(node, url))
    if (connection === null) return null
    if (lifetime.closed) {
      connection.close()
      return null
    }
    const teardown = new Subscription(() => connection.close())
    teardown.add(connection.closed$.subscribe(() => open.delete(url)))
    lifetime.add(teardown)
    const witness = toWitness(url, connection)
    open.set(url, witness)
    return witness
  }

  return {
    async *others(connectedUrl) {
      const hosts = new Set([hostOf(connectedUrl)])
      for (const url of node.target().urls) {
        if (hosts.has(hostOf(url))) continue
        const witness = await openAt(url)
        if (witness === null) continue
        hosts.add(hostOf(url))
        yield witness
      }
      return undefined
    },
  }
}

/** An open connection to a node of the network; null where there is none within the timeout. */
const connection$ = (node: WitnessDeps, url: string) =>
  defer(() => node.dial(url)).pipe(
    switchMap((connection) =>
      handshake$(connection, node.target(), CONNECT_TIMEOUT).pipe(
        map(() => connection),
        catchError(() => {
          connection.close()
          return of(null)
        }),
      ),
    ),
    timeout({ first: CONNECT_TIMEOUT, scheduler: node.platform.scheduler }),
    catchError(() => of(null)),
  )

const toWitness = (url: string, connection: NodeConnection): Witness => ({
  url,
  call: (method, request) => firstValueFrom(connection.call(method, request)),
  ...createPageRequests((_, call) => firstValueFrom(call(connection))),
})

const METHOD = 'getVirtualChainFromBlockV2'
type PageRequest = RpcRequest<typeof METHOD>
type PageResponse = RpcResponse<typeof METHOD>

/** A page of the chain with converted blocks. */
interface ConvertedPage<Block> extends Omit<ChainBlocks, 'blocks'> {
  readonly blocks: readonly Block[]
}

/** Requests of pages of the chain. They reject with `ChainRpcError`. */
export interface PageRequests {
  /** Requests accepted ids; records where the port decodes no ids. */
  fetchChainIds(request: PageRequest): Promise<ChainIds | PageResponse>
  /**
   * Requests chain blocks and converts each at once: where the node's port decodes them one by one, none is held as the
   * node's record. Rejects also with what `toBlock` throws.
   */
  fetchChainBlocks<Block>(
    request: PageRequest,
    toBlock: (block: RpcAcceptingBlock) => Block,
  ): Promise<ConvertedPage<Block>>
}

/** The requests, sent by `send` on a connection that it chooses. */
export const createPageRequests = (
  send: <Response>(
    method: typeof METHOD,
    call: (connection: NodeConnection, options?: { readonly timeout: number }) => Observable<Response>,
  ) => Promise<Response>,
): PageRequests => ({
  fetchChainIds: (request) =>
    send<ChainIds | PageResponse>(
      METHOD,
      (connection, options) => connection.chainIds?.(request, options) ?? connection.call(METHOD, request, options),
    ),
  fetchChainBlocks: (request, toBlock) =>
    send(METHOD, (connection, options) =>
      blocks$(connection, request, options).pipe(
        map((page) => ({ ...page, blocks: Array.from(page.blocks, (block) => toBlock(block)) })),
      ),
    ),
})

const blocks$ = (
  connection: NodeConnection,
  request: PageRequest,
  options?: { readonly timeout: number },
): Observable<ChainBlocks> =>
  connection.chainBlocks?.(request, options) ??
  connection
    .call(METHOD, request, options)
    .pipe(map(({ chainBlockAcceptedTransactions: blocks, ...hashes }) => ({ ...hashes, blocks })))
