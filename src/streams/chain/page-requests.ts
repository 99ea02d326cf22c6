import { map, type Observable } from 'rxjs'
import type { ChainBlocks, ChainIds, NodeConnection } from '../../node/port.js'
import type { RpcAcceptingBlock, RpcRequest, RpcResponse } from '../../node/messages/records.js'

const METHOD = 'getVirtualChainFromBlockV2'
type PageRequest = RpcRequest<typeof METHOD>
type PageResponse = RpcResponse<typeof METHOD>

/** A page of the chain with converted blocks. */
export interface ConvertedPage<Block> extends Omit<ChainBlocks, 'blocks'> {
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
