import { Observable, defer, map, tap, type SchedulerLike } from 'rxjs'
import { ChainRpcError, type ChainRpcErrorCode } from '../../errors/rpc-error.js'
import type { RpcMethod } from '../../node/messages/records.js'
import type { NodeConnection, NodePort } from '../../node/port.js'
import { toEndpoint } from './masks.js'
import type { FrameMeter } from './observe-platform.js'
import type { Resolve } from './probe.js'
import type { FlightRecord } from './recorder.js'

export interface ObserveNodeDeps {
  readonly meter: FrameMeter
  readonly record: (record: FlightRecord) => void
  /** Unix milliseconds. */
  readonly now: () => number
  /** Measures durations. */
  readonly scheduler: Pick<SchedulerLike, 'now'>
  readonly pending: PendingCounter
}

/** Requests without a response. */
export interface PendingCounter {
  count: number
}

/** The same node; records dials and calls. */
export const observeNode = (node: NodePort, deps: ObserveNodeDeps): NodePort => ({
  dial: (endpoint) =>
    defer(() => {
      deps.record({ at: deps.now(), type: 'dial', endpoint: toEndpoint(endpoint.url), encoding: endpoint.encoding })
      return node.dial(endpoint).pipe(map((connection) => observeConnection(connection, deps)))
    }),
})

/** No spread: `status` of a scripted socket is a getter. */
function observeConnection(connection: NodeConnection, deps: ObserveNodeDeps): NodeConnection {
  const { endpoint, notifications$, malformed$, closed$ } = connection
  return {
    endpoint,
    notifications$,
    closed$,
    ...(malformed$ === undefined ? {} : { malformed$ }),
    close: () => connection.close(),
    call: (method, request, options) => observeCall(method, connection.call(method, request, options), deps),
    ...(has(connection, 'utxoColumns')
      ? {
          utxoColumns: (...request) => observeCall('getUtxosByAddresses', connection.utxoColumns(...request), deps),
        }
      : {}),
    ...(has(connection, 'chainIds')
      ? {
          chainIds: (...request) => observeCall('getVirtualChainFromBlockV2', connection.chainIds(...request), deps),
        }
      : {}),
    ...(has(connection, 'chainBlocks')
      ? {
          chainBlocks: (...request) =>
            observeCall('getVirtualChainFromBlockV2', connection.chainBlocks(...request), deps),
        }
      : {}),
  }
}

const has = <Name extends 'utxoColumns' | 'chainIds' | 'chainBlocks'>(
  connection: NodeConnection,
  name: Name,
): connection is Required<Pick<NodeConnection, Name>> & NodeConnection => connection[name] !== undefined

/** Records one call at its end: the response, its failure, or the loss of interest in it. */
function observeCall<Response>(
  method: RpcMethod,
  call$: Observable<Response>,
  { meter, record, now, scheduler, pending }: ObserveNodeDeps,
): Observable<Response> {
  return new Observable((subscriber) => {
    const startedAt = scheduler.now()
    let sent: number | null = null
    let isPending = true
    pending.count++
    const end = (outcome: 'ok' | ChainRpcErrorCode, received: number | null): void => {
      if (!isPending) return
      isPending = false
      pending.count--
      record({ at: now(), type: 'call', method, ms: scheduler.now() - startedAt, sent, received, outcome })
    }
    subscriber.add(() => end('aborted', null))
    meter.sent = null
    const subscription = call$.subscribe({
      next: (response) => {
        end('ok', meter.received)
        recordBackfill(method, response, record, now)
        subscriber.next(response)
      },
      error: (error: unknown) => {
        const code = codeOf(error)
        end(code, code === 'remote' || code === 'malformed' ? meter.received : null)
        subscriber.error(error)
      },
      complete: () => subscriber.complete(),
    })
    sent = meter.sent // encoded and sent during the subscription
    return subscription
  })
}

/** The methods that read what happened before, with the field that lists the blocks. */
const BACKFILLS: Partial<Record<RpcMethod, string>> = {
  getVirtualChainFromBlock: 'addedChainBlockHashes',
  getVirtualChainFromBlockV2: 'addedChainBlockHashes',
  getBlocks: 'blockHashes',
}

function recordBackfill(
  method: RpcMethod,
  response: unknown,
  record: ObserveNodeDeps['record'],
  now: () => number,
): void {
  const field = BACKFILLS[method]
  if (field === undefined || typeof response !== 'object' || response === null) return
  const blocks: unknown = Reflect.get(response, field)
  record({ at: now(), type: 'backfill', method, blocks: Array.isArray(blocks) ? blocks.length : 0 })
}

/** The same resolver; records its results. */
export const observeResolver =
  (resolve: Resolve, { record, now, scheduler }: Pick<ObserveNodeDeps, 'record' | 'now' | 'scheduler'>): Resolve =>
  (request) =>
    defer(() => {
      const startedAt = scheduler.now()
      const elapsed = (): number => scheduler.now() - startedAt
      return resolve(request).pipe(
        tap({
          next: (url) =>
            record({ at: now(), type: 'resolver', ms: elapsed(), outcome: 'ok', endpoint: toEndpoint(url) }),
          error: (error) =>
            record({ at: now(), type: 'resolver', ms: elapsed(), outcome: codeOf(error), endpoint: null }),
        }),
      )
    })

const codeOf = (error: unknown): ChainRpcErrorCode => (error instanceof ChainRpcError ? error.code : 'failed')
