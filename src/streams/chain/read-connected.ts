import { firstValueFrom, merge, retry, switchMap, take, throwError, timer } from 'rxjs'
import { ChainRpcError, type ChainRpcErrorCode } from '../../errors/rpc-error.js'
import type { NodeLink } from '../session/node-link.js'
import { connected$, untilEnded$, type FollowedConnection } from './endings.js'

export interface ReadDeps extends FollowedConnection, Pick<NodeLink, 'autoConnect' | 'platform'> {}

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
