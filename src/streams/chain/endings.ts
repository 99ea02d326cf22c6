import {
  filter,
  map,
  merge,
  skip,
  switchMap,
  throwError,
  type Observable,
  firstValueFrom,
  retry,
  take,
  timer,
} from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError, type ChainRpcErrorCode } from '../../errors/rpc-error.js'
import { abort$ } from '../../loading/abortable.js'
import type { RpcConnectionState } from '../connection/state.js'
import type { Session } from '../session/establish.js'
import type { NodeLink } from '../session/node-link.js'

/** What iterations and reads wait for: the connection of an engine, and what ends them with it. */
export interface FollowedConnection extends Pick<NodeLink, 'network$' | 'session$' | 'ended$'> {
  /** The state of the connection. Replays. */
  readonly connection: {
    readonly state$: Observable<{ readonly status: RpcConnectionState; readonly error: ChainRpcError | null }>
  }
}

/** What ends an iteration from outside: the signal, the end of the engine, another network. */
export function endings$(
  { ended$, network$ }: FollowedConnection,
  signal: AbortSignal | undefined,
): Observable<ChainError> {
  const switched$ = network$.pipe(
    skip(1),
    map((network) => aborted(`The engine was switched to ${network}`)),
  )
  const disposed$ = ended$.pipe(map(() => new ChainError('The engine has been disposed of', { code: 'disposed' })))
  const aborted$ = abort$(signal).pipe(map((reason) => aborted('The signal aborted the iteration', reason)))
  return merge(aborted$, disposed$, switched$)
}

/** Errors where an iteration is ended from outside. */
export const untilEnded$ = (connection: FollowedConnection, signal: AbortSignal | undefined): Observable<never> =>
  endings$(connection, signal).pipe(switchMap((error) => throwError(() => error)))

export const aborted = (message: string, cause?: unknown): ChainError =>
  new ChainError(message, { code: 'aborted', cause })

/** The session, once there is one. Errors in connection state `error`. */
export function connected$({ session$, connection }: FollowedConnection): Observable<Session> {
  const failed$ = connection.state$.pipe(
    filter(({ status }) => status === 'error'),
    switchMap(({ error }) => throwError(() => toFollowError(error))),
  )
  return merge(session$.pipe(filter((session) => session !== null)), failed$)
}

const toFollowError = (error: ChainRpcError | null): ChainRpcError =>
  new ChainRpcError('followChain', error, {
    code: error?.code ?? 'not-connected',
    message: `Could not follow the chain: ${error?.message ?? 'there is no connection to a node'}`,
    hint: error?.hint,
  })

interface ReadDeps extends FollowedConnection, Pick<NodeLink, 'autoConnect' | 'platform'> {}

/** The node did not respond, for a reason of the connection. */
const UNCONNECTED: readonly ChainRpcErrorCode[] = [
  'not-connected',
  'connection-lost',
  'timeout',
  'aborted',
  'superseded',
]

/** Before the same connection is used again, in ms. */
const DELAY = 500

/**
 * Reads once there is a connection, for which it connects, and again where the connection is lost meanwhile. Rejects as
 * an iteration of the chain does, by any of the signals, and as `read` does where the node has responded.
 */
export function readConnected<T>(
  node: ReadDeps,
  read: () => Promise<T>,
  signals: readonly (AbortSignal | undefined)[],
): Promise<T> {
  node.autoConnect()
  const read$ = connected$(node).pipe(
    take(1),
    switchMap(read),
    retry({
      delay: (error: unknown) =>
        isUnconnected(error) ? timer(DELAY, node.platform.scheduler) : throwError(() => error),
    }),
  )
  return firstValueFrom(merge(...signals.map((signal) => untilEnded$(node, signal)), read$))
}

const isUnconnected = (error: unknown): boolean => error instanceof ChainRpcError && UNCONNECTED.includes(error.code)
