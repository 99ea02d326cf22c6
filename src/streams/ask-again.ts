import { retry, throwError, timer, type MonoTypeOperatorFunction } from 'rxjs'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { Platform } from '../platform/port.js'
import { DEFAULT_RETRIES, backoff } from './connection/policy.js'

/** How often a question is put again while the connection stands: for about 15 s. */
const TRIES = 4

/** Asks again, after a growing wait, where the failure may pass. Success makes it patient again. */
export const askAgain = <T>(
  { platform }: { readonly platform: Pick<Platform, 'scheduler' | 'random'> },
  mayPass: (error: unknown) => boolean,
): MonoTypeOperatorFunction<T> =>
  retry<T>({
    count: TRIES,
    resetOnSuccess: true,
    delay: (error: unknown, tries) =>
      mayPass(error)
        ? timer(backoff(tries, DEFAULT_RETRIES, platform.random()), platform.scheduler)
        : throwError(() => error),
  })

/** The node has the question and refuses to answer it. */
export const isRefusal = (error: unknown): error is ChainRpcError =>
  error instanceof ChainRpcError && (error.code === 'remote' || error.code === 'unsupported')

/** Words of a node that does not know a block, or no longer has what is asked about it. */
const GONE = /cannot find header|does not have source on its chain|retention root/

/** Whether a node that refuses will always refuse: what it has not, it will not have; anything else may pass. */
export const isForGood = (error: unknown): boolean =>
  isRefusal(error) && (error.code === 'unsupported' || (error.cause instanceof Error && GONE.test(error.cause.message)))
