import type { AbortOptions } from '../errors/abort-options.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import { distinctUntilChanged, map, type BehaviorSubject, type Observable } from 'rxjs'
import { abortable } from '../loading/abortable.js'
import type { ChainNetwork } from '../model/network.js'
import type { Connector } from '../streams/connection/connection.js'
import { type ConnectionState, isSameState, toConnectionState } from '../streams/connection/state.js'
import type { RpcOptions } from './options.js'
import { checkOptions } from './check-options.js'
import { toTarget, type ResolvedOptions } from './resolve-options.js'

/** The connection state, and the methods that change it. */
export interface ConnectionControl {
  /**
   * The connection state. Hot and shared; replays the current state, then emits every change in order, also where a
   * subscriber causes the next change. A failure is a value: it never errors. Completes with the engine, after
   * `disconnected`. A subscription does not connect.
   */
  readonly state$: Observable<ConnectionState>
  /**
   * Resolves once connected; `options` apply to this connection only. Concurrent calls with the same options share one
   * attempt. Rejects with `ChainRpcError('connect', cause)`: the last attempt's failure after the last retry,
   * `superseded` by a call with other options, `aborted` by `disconnect()` or `signal`; with `ChainError`
   * `invalid-option`.
   */
  connect(options?: ConnectOptions): Promise<void>
  /** Closes the connection, or aborts the attempt and its retries. Never rejects. */
  disconnect(): Promise<void>
  /** Closes the connection and connects again with the same options. Resolves and rejects as `connect` does. */
  reconnect(options?: AbortOptions): Promise<void>
}

/** The options of one connection, and the caller's signal. */
export interface ConnectOptions extends RpcOptions, AbortOptions {}

/** `options$` holds the current options of the engine. */
export function createConnectionControl<Session>(
  connection: Connector<Session>,
  options$: BehaviorSubject<ResolvedOptions>,
): ConnectionControl {
  return {
    state$: connection.state$.pipe(map(toConnectionState), distinctUntilChanged(isSameState)),
    connect: async (override) => {
      const target = toTarget(options$.value, override)
      return abortable(signalOf(override), () => connection.connect(target), aborted)
    },
    reconnect: (options) => abortable(signalOf(options), () => connection.reconnect(), aborted),
    disconnect: () => {
      connection.disconnect()
      return Promise.resolve()
    },
  }
}

/** `options` may be a click event. */
const signalOf = (options: AbortOptions | undefined): AbortSignal | undefined =>
  options?.signal instanceof AbortSignal ? options.signal : undefined

const aborted = (reason: unknown): ChainRpcError => new ChainRpcError('connect', reason, { code: 'aborted' })

/**
 * Changes the network of the engine. `url` and `urls` of the options are dropped, unless the network stays the same.
 */
export async function switchNetwork<Session>(
  connection: Connector<Session>,
  options$: BehaviorSubject<ResolvedOptions>,
  network: ChainNetwork,
  url: string | undefined,
): Promise<void> {
  checkOptions({ network, url })
  const current = options$.value
  const options =
    url === undefined && network === current.network ? current : { ...current, network, url, urls: undefined }
  const target = toTarget(options) // throws for an invalid URL, before any change
  options$.next(options)
  return connection.retarget(target)
}

/** Connects for the first subscriber, unless `autoConnect` is false or a connection was requested before. */
export function connectForFirstSubscriber<Session>(
  connection: Connector<Session>,
  { value: options }: BehaviorSubject<ResolvedOptions>,
): void {
  const { status, request } = connection.state
  if (!options.autoConnect || status !== 'disconnected' || request > 0) return
  connection.connect(toTarget(options)).catch((error: unknown) => {
    options.logger.warn('Could not connect', { error }) // the connection state has the error
  })
}
