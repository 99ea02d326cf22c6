import { ChainError, type ErrorDetails } from './chain-error.js'

/**
 * - `http`: the server answered with a status that is no success. `network`: no answer came at all.
 * - `timeout`, `aborted`: ended by the deadline, or by the caller's signal.
 * - `malformed`: the answer is not what the endpoint promises. `invalid-argument`: refused here, nothing was sent.
 * - `too-many`: the server cannot list so many entries and says so by an empty list.
 */
export type ChainRestErrorCode =
  'http' | 'network' | 'timeout' | 'aborted' | 'malformed' | 'invalid-argument' | 'too-many' | 'failed'

export interface RestErrorDetails extends ErrorDetails<ChainRestErrorCode> {
  /** The HTTP status; undefined where no answer came. */
  readonly status?: number | undefined
  readonly method: string
  /** The address asked. It holds no credentials: a base URL with any is refused. */
  readonly url: string
  /** The answer's body: the parsed JSON, or text. */
  readonly body?: unknown
  /** What exactly was wrong, for the message: the server's own words, or ours. */
  readonly reason?: string | undefined
  /** How long the server asks us to wait before the next request, in ms. */
  readonly retryAfter?: number | undefined
}

/** What became of the request, as the message says it. */
const FATES: Readonly<Record<ChainRestErrorCode, string>> = {
  http: 'was answered with status',
  network: 'got no answer',
  timeout: 'got no answer in time',
  aborted: 'was aborted',
  malformed: 'got an answer that cannot be read',
  'invalid-argument': 'was not sent',
  'too-many': 'has more entries than the server lists',
  failed: 'failed',
}

/**
 * A request to the REST indexer failed. `code` is the kind of failure; `status`, `method`, `url` and `body` are the facts;
 * `hint` says what to do. Refused arguments are named by `argument`.
 */
export class ChainRestError extends ChainError<ChainRestErrorCode> {
  override readonly name = 'ChainRestError'
  readonly status: number | undefined
  readonly method: string
  readonly url: string
  readonly body: unknown
  readonly retryAfter: number | undefined

  constructor(details: RestErrorDetails) {
    super(toMessage(details), details)
    this.status = details.status
    this.method = details.method
    this.url = details.url
    this.body = details.body
    this.retryAfter = details.retryAfter
  }
}

function toMessage({ code = 'failed', status, method, url, reason }: RestErrorDetails): string {
  const fate = code === 'http' ? `${FATES.http} ${status ?? 'unknown'}` : FATES[code]
  return `REST request ${method} ${url} ${fate}${reason === undefined ? '' : `: ${reason}`}`
}
