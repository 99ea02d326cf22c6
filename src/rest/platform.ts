import type { SchedulerLike } from 'rxjs'
import type { ChainRestErrorCode } from '../errors/rest-error.js'
import type { Platform } from '../platform/port.js'

/** The platform functions of a client; defaults to those of the JavaScript runtime. */
export interface RestPlatform extends Partial<Pick<Platform, 'fetch' | 'random'>> {
  /** For deadlines. */
  readonly scheduler?: SchedulerLike
  /** Receives every response of the cache, and the end of every HTTP request. */
  readonly onRest?: ((report: RestReport) => void) | undefined
}

/** How one request to the indexer ended. */
export interface RestReport {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  /** The HTTP status; null without a response, and for one of the cache. */
  readonly status: number | null
  readonly ms: number
  readonly source: 'cache' | 'server'
  readonly outcome: 'ok' | ChainRestErrorCode
}
