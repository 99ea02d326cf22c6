import { retry, throwError, timer, type MonoTypeOperatorFunction } from 'rxjs'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { Platform } from '../platform/port.js'
import { DEFAULT_RETRIES, backoff } from './connection/policy.js'
import { ChainError } from '../errors/chain-error.js'

/** Retries of a request on one connection: about 15 s. */
const MAX_RETRIES = 4

/** Retries with growing delays while the failure is transient. A success resets the count. */
export const retryWithBackoff = <T>(
  { platform }: { readonly platform: Pick<Platform, 'scheduler' | 'random'> },
  isTransient: (error: unknown) => boolean,
): MonoTypeOperatorFunction<T> =>
  retry<T>({
    count: MAX_RETRIES,
    resetOnSuccess: true,
    delay: (error: unknown, retries) =>
      isTransient(error)
        ? timer(backoff(retries, DEFAULT_RETRIES, platform.random()), platform.scheduler)
        : throwError(() => error),
  })

/** The node responded with an error, or does not support the call. */
export const isRefusal = (error: unknown): error is ChainRpcError =>
  error instanceof ChainRpcError && (error.code === 'remote' || error.code === 'unsupported')

/** Messages of a node that does not know a block, or has pruned the requested data. */
const UNAVAILABLE = /cannot find header|does not have source on its chain|retention root/

/** The node does not know the requested block, or has pruned it. */
export const isUnavailable = (error: unknown): error is ChainRpcError =>
  isRefusal(error) && error.cause instanceof Error && UNAVAILABLE.test(error.cause.message)

/** Whether the node will refuse every retry: pruned and unknown data stays unavailable, other refusals may pass. */
export const isPermanent = (error: unknown): boolean =>
  isUnavailable(error) || (isRefusal(error) && error.code === 'unsupported')

/** The error of a failed call; a `ChainError` is returned unchanged. */
export const toRpcError = (method: string, cause: unknown): ChainError =>
  isChainError(cause) ? cause : new ChainRpcError(method, cause)

const isChainError = (cause: unknown): cause is ChainError => cause instanceof ChainError
