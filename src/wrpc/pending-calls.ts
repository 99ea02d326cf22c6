import { Observable, catchError, throwError, type SchedulerLike, type Subscriber } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import { inSteps$ } from '../loading/steps.js'
import type { UtxoColumns } from '../model/utxo-columns/columns.js'
import type { ChainBlocks, ChainIds } from '../node/port.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../node/messages/records.js'
import { callTimedOut, invalidRequest, remoteError, responseDropped, decodingError } from './wire-errors.js'
import type { ClientCodec, DecodedMessage, ResponseFormat } from './codec.js'
import { createDeadlines, createDroppedResponses, type WaitingCall } from './deadlines.js'

interface PendingCallsDeps<Frame> {
  readonly codec: Pick<ClientCodec<Frame>, 'encodeRequest'>
  readonly send: (frame: Frame) => void
  /** Called for a sent request whose response is not awaited any more. */
  readonly cancel?: ((id: bigint) => void) | undefined
  /** The error if the connection is closed; undefined while it is open. */
  readonly closedError: (method: RpcMethod) => ChainRpcError | undefined
  readonly scheduler: SchedulerLike
  /** The node's URL, for error messages. */
  readonly url: string
}

/** The pending calls of one connection, by request id. */
interface PendingCalls {
  /** Sends a request and emits the response. Cold; unsubscribing discards the response. */
  call<M extends RpcMethod>(method: M, request: RpcRequest<M>, timeout: number): Observable<RpcResponse<M>>
  /** Sends `getUtxosByAddresses` and emits the UTXOs as columns; as `call` otherwise. */
  utxoColumns(addresses: readonly string[], timeout: number): Observable<UtxoColumns>
  /** Sends `getVirtualChainFromBlockV2` and emits the accepted ids; as `call` otherwise. Borsh only. */
  chainIds(request: RpcRequest<'getVirtualChainFromBlockV2'>, timeout: number): Observable<ChainIds>
  /** Sends `getVirtualChainFromBlockV2` and emits blocks to be iterated at once; as `call` otherwise. Borsh only. */
  chainBlocks(request: RpcRequest<'getVirtualChainFromBlockV2'>, timeout: number): Observable<ChainBlocks>
  /** What the response to a pending call is decoded into. */
  readonly formatOf: (id: bigint) => ResponseFormat
  /** The method of a pending call; undefined if the id is not pending. */
  readonly methodOf: (id: bigint) => RpcMethod | undefined
  /** Settles the call of a reply; ignores replies to calls that are not pending. */
  settle(id: bigint, message: CallReply): void
  /** Fails the calls whose responses are lost; to be called with each notification. */
  onNotification(): void
  /** Fails every call. */
  failAll(toError: (method: RpcMethod) => ChainRpcError): void
}

type CallReply = Exclude<DecodedMessage, { readonly kind: 'notification' }>

interface Pending extends WaitingCall {
  readonly method: RpcMethod
  readonly format: ResponseFormat
  readonly subscriber: Subscriber<never>
}

export function createPendingCalls<Frame>(deps: PendingCallsDeps<Frame>): PendingCalls {
  const { codec, send, cancel, closedError, scheduler, url } = deps
  const pending = createCallTable<Pending>()
  const deadlines = createDeadlines(scheduler)
  const dropped = createDroppedResponses(scheduler, () => pending.values())
  let latestId = 0n

  /** The codec decodes the response by method and format of the request. */
  const send$ = <M extends RpcMethod>(
    method: M,
    request: RpcRequest<M>,
    timeout: number,
    format: ResponseFormat,
  ): Observable<never> =>
    new Observable((subscriber) => {
      const id = ++latestId
      const frame = closedError(method) ?? encodeOrError(method, () => codec.encodeRequest(id, method, request, format))
      if (frame instanceof ChainRpcError) {
        subscriber.error(frame)
        return undefined
      }
      pending.set(id, { method, format, subscriber, order: id, timeout, seconds: 0 })
      const cancelDeadline = deadlines.set(timeout, () => subscriber.error(callTimedOut(method, url, timeout)))
      send(frame)
      return () => {
        if (pending.get(id) !== undefined) cancel?.(id)
        pending.delete(id)
        cancelDeadline()
      }
    })

  return {
    call: (method, request, timeout) => send$(method, request, timeout, 'record'),
    utxoColumns: (addresses, timeout) => send$('getUtxosByAddresses', { addresses }, timeout, 'columns'),
    chainIds: (request, timeout) => send$('getVirtualChainFromBlockV2', request, timeout, 'ids'),
    chainBlocks: (request, timeout) => send$('getVirtualChainFromBlockV2', request, timeout, 'blocks'),
    formatOf: (id) => pending.get(id)?.format ?? 'record',
    methodOf: (id) => pending.get(id)?.method,
    settle: (id, message) => {
      const found = pending.get(id)
      if (found === undefined) return
      const { method, subscriber } = found
      pending.delete(id) // settled, also where the response is decoded in steps
      dropped.onResponse(id)
      if (message.kind === 'columns') {
        const columns$ = inSteps$(message.columns).pipe(
          catchError((error) => throwError(() => decodingError(method, error))),
        )
        subscriber.add(columns$.subscribe(subscriber as Subscriber<unknown>))
      } else if (message.kind === 'blocks') {
        subscriber.next({ ...message.page, blocks: decoded(method, message.page.blocks) } as never)
        subscriber.complete()
      } else if (message.kind === 'response' || message.kind === 'ids') {
        subscriber.next((message.kind === 'ids' ? message.page : message.response) as never)
        subscriber.complete()
      } else subscriber.error(message.kind === 'error' ? remoteError(method, message.error) : message.error)
    },
    onNotification: () => {
      for (const { method, subscriber } of dropped.onNotification()) subscriber.error(responseDropped(method, url))
    },
    failAll: (toError) => {
      for (const { method, subscriber } of pending.values()) subscriber.error(toError(method))
      deadlines.stop()
    },
  }
}

/** Blocks of a response that are decoded while they are iterated. */
function* decoded<Block>(method: RpcMethod, blocks: Iterable<Block>): Iterable<Block> {
  try {
    yield* blocks
  } catch (error) {
    throw decodingError(method, error)
  }
}

/** The encoded frame, or the error of an invalid request. */
function encodeOrError<Frame>(method: RpcMethod, encode: () => Frame): Frame | ChainRpcError {
  try {
    return encode()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return invalidRequest(method, error as ChainError)
  }
}

/** Values by request id. Ids ascend, and most calls end before many others begin. */
interface CallTable<Value> {
  get(id: bigint): Value | undefined
  set(id: bigint, value: Value): void
  delete(id: bigint): void
  /** In the order of their ids. */
  values(): Value[]
}

/** The number of slots, a power of two. */
const SLOTS = 64

interface Slot<Value> {
  readonly id: bigint
  readonly value: Value
}

/**
 * The newest ids are in slots, one that outlives the next 63 moves to a map. A map alone would allocate its table again
 * every few calls.
 */
export function createCallTable<Value>(): CallTable<Value> {
  const slots = new Array<Slot<Value> | undefined>(SLOTS).fill(undefined)
  const older = new Map<bigint, Value>()
  return {
    get: (id) => {
      const slot = slots[slotOf(id)]
      return slot?.id === id ? slot.value : older.get(id)
    },
    set: (id, value) => {
      const slot = slots[slotOf(id)]
      if (slot !== undefined) older.set(slot.id, slot.value)
      slots[slotOf(id)] = { id, value }
    },
    delete: (id) => {
      if (slots[slotOf(id)]?.id === id) slots[slotOf(id)] = undefined
      else older.delete(id)
    },
    values: () => {
      const newest = slots.filter((slot) => slot !== undefined).sort((a, b) => (a.id < b.id ? -1 : 1))
      return [...older.values(), ...newest.map(({ value }) => value)]
    },
  }
}

const slotOf = (id: bigint): number => Number(BigInt.asUintN(6, id))
