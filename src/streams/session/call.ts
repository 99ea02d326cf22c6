import { Observable, firstValueFrom, map, switchMap } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { lazyModule } from '../../loading/lazy-module.js'
import type { UtxoColumns } from '../../model/utxo-columns/columns.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { ChainBlocks, ChainIds } from '../../node/chain-ids.js'
import type { RpcAcceptingBlock, RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import type { Session } from './establish.js'
import type { OnInvalidResponse } from './requested-entries.js'
import { unsupported } from './unsupported.js'

/** How long one call may take. */
export interface CallOptions {
  /** Ms. @default the engine's `requestTimeout` */
  readonly timeout?: number | undefined
  /** A bound of the timeout, ms, such as the time that is left for a task of many calls. */
  readonly maxTimeout?: number | undefined
}

/** Requests UTXOs as columns where the node's port decodes them, else as records. Otherwise as a `Call`. */
export type FetchUtxos = (addresses: readonly string[]) => Observable<UtxoColumns | readonly UtxoEntry[]>

/** Requests accepted ids where the node's port decodes them alone, else records. Otherwise as a `Call`. */
export type FetchChainIds = (
  request: RpcRequest<'getVirtualChainFromBlockV2'>,
) => Observable<ChainIds | RpcResponse<'getVirtualChainFromBlockV2'>>

/** A page of the chain with converted blocks. */
export interface ConvertedPage<Block> extends Omit<ChainBlocks, 'blocks'> {
  readonly blocks: readonly Block[]
}

/**
 * Requests chain blocks and converts each at once, where the node's port decodes them one by one, so that none is held
 * as the node's record. Errors with what `toBlock` throws; otherwise as a `Call`.
 */
export type FetchChainBlocks = <Block>(
  request: RpcRequest<'getVirtualChainFromBlockV2'>,
  toBlock: (block: RpcAcceptingBlock) => Block,
) => Observable<ConvertedPage<Block>>

/** Sends one request to the connected node. Cold. Errors at once without a connection. */
export type Call = <M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  options?: CallOptions,
) => Observable<RpcResponse<M>>

export interface CallDeps {
  readonly session: () => Session | null
  /** The default timeout of a call, ms. */
  readonly requestTimeout: number
  /** The error of a call without a connection. */
  readonly toNotConnected: (method: RpcMethod) => Error
  readonly onResponse: (method: RpcMethod) => void
  readonly onInvalidEntries: OnInvalidResponse
}

/**
 * Creates a `Call` that works across reconnects. Requests are never repeated: a call fails with its connection.
 * One observable instead of operators, which would double the cost of a small query.
 */
export const createCall =
  (deps: CallDeps): Call =>
  (method, request, { timeout = deps.requestTimeout, maxTimeout = Infinity } = {}) => {
    const response$ = requestOn(method, deps, (connection) =>
      connection.call(method, request, { timeout: Math.min(timeout, maxTimeout) }),
    )
    return method === 'getUtxosByAddresses' ? checked$(request, response$, deps) : response$
  }

/**
 * The check of UTXO entries is loaded before the first request of any: it needs addresses, which other calls do not.
 */
const checkModule = /*#__PURE__*/ lazyModule(() => import('./requested-entries.js'))

function checked$<M extends RpcMethod>(
  request: RpcRequest<M>,
  response$: Observable<RpcResponse<M>>,
  { onInvalidEntries }: CallDeps,
): Observable<RpcResponse<M>> {
  type Method = 'getUtxosByAddresses'
  return checkModule.module$.pipe(
    switchMap(({ withoutForeignEntries }) =>
      (response$ as Observable<RpcResponse<Method>>).pipe(
        map((response) => withoutForeignEntries(request as RpcRequest<Method>, response, onInvalidEntries)),
      ),
    ),
  ) as Observable<RpcResponse<M>>
}

/**
 * Sends one request, at once. Rejects as a `Call` errors. A promise costs a small query less than a `Call`, which wraps
 * the connection's observable in another one.
 */
export type Request = <M extends RpcMethod>(method: M, request: RpcRequest<M>) => Promise<RpcResponse<M>>

export const createRequest = (deps: CallDeps): Request => {
  const call = createCall(deps)
  return (method, request) => {
    if (method === 'getUtxosByAddresses') return firstValueFrom(call(method, request))
    return new Promise((resolve, reject) => {
      const connection = connectionFor(method, deps)
      if (connection instanceof Error) {
        reject(connection)
        return
      }
      let hasResponse = false
      connection.call(method, request, { timeout: deps.requestTimeout }).subscribe({
        next: (response) => {
          hasResponse = true
          deps.onResponse(method)
          resolve(response)
        },
        error: reject,
        complete: () => {
          if (!hasResponse) reject(withoutResponse(method))
        },
      })
    })
  }
}

const withoutResponse = (method: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError('The connection completed the call without a response'), { code: 'failed' })

export const createFetchUtxos =
  (deps: CallDeps): FetchUtxos =>
  (addresses) =>
    requestOn<UtxoColumns | readonly UtxoEntry[]>('getUtxosByAddresses', deps, (connection) => {
      const timeout = deps.requestTimeout
      return (
        connection.utxoColumns?.(addresses, { timeout }) ??
        connection.call('getUtxosByAddresses', { addresses }, { timeout }).pipe(map(({ entries }) => entries))
      )
    })

export const createFetchChainIds =
  (deps: CallDeps): FetchChainIds =>
  (request) =>
    requestOn<ChainIds | RpcResponse<'getVirtualChainFromBlockV2'>>(CHAIN_METHOD, deps, (connection) => {
      const timeout = deps.requestTimeout
      return connection.chainIds?.(request, { timeout }) ?? connection.call(CHAIN_METHOD, request, { timeout })
    })

export const createFetchChainBlocks =
  (deps: CallDeps): FetchChainBlocks =>
  (request, toBlock) =>
    requestOn(CHAIN_METHOD, deps, (connection) =>
      chainBlocks$(connection, request, toBlock, { timeout: deps.requestTimeout }),
    )

/** As `FetchChainBlocks`, of one connection. */
export function chainBlocks$<Block>(
  connection: NodeConnection,
  request: RpcRequest<'getVirtualChainFromBlockV2'>,
  toBlock: (block: RpcAcceptingBlock) => Block,
  options?: { readonly timeout?: number | undefined },
): Observable<ConvertedPage<Block>> {
  const page$: Observable<ChainBlocks> =
    connection.chainBlocks?.(request, options) ??
    connection
      .call(CHAIN_METHOD, request, options)
      .pipe(map(({ chainBlockAcceptedTransactions: blocks, ...hashes }) => ({ ...hashes, blocks })))
  return page$.pipe(map((page) => ({ ...page, blocks: Array.from(page.blocks, (block) => toBlock(block)) })))
}

const CHAIN_METHOD = 'getVirtualChainFromBlockV2'

const requestOn = <Response>(
  method: RpcMethod,
  deps: CallDeps,
  request: (connection: NodeConnection) => Observable<Response>,
): Observable<Response> =>
  new Observable((subscriber) => {
    const connection = connectionFor(method, deps)
    if (connection instanceof Error) {
      subscriber.error(connection)
      return undefined
    }
    return request(connection).subscribe({
      next: (response) => {
        deps.onResponse(method)
        subscriber.next(response)
      },
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    })
  })

/** The connection for a call, or the error of the call. */
function connectionFor(method: RpcMethod, { session, toNotConnected }: CallDeps): NodeConnection | Error {
  const current = session()
  if (current === null) return toNotConnected(method)
  return unsupported(method, current.serverInfo.serverVersion) ?? current.connection
}
