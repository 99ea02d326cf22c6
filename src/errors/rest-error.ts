import { ChainError, type ErrorDetails } from './chain-error.js'

/**
 * - `http`: the server answered with a status that is no success. `network`: no answer came at all.
 * - `timeout`, `aborted`: ended by a deadline, or by the caller's signal.
 * - `malformed`: the answer is not what the endpoint promises. `invalid-argument`: refused here, nothing was sent.
 * - `too-many`: the server cannot list so many entries and says so by an empty list.
 */
export type ChainRestErrorCode =
  'http' | 'network' | 'timeout' | 'aborted' | 'malformed' | 'invalid-argument' | 'too-many' | 'failed'

export interface RestErrorDetails extends ErrorDetails<ChainRestErrorCode> {
  /** The HTTP status; undefined where no answer came. */
  readonly status?: number | undefined
  readonly method: string
  /** The address asked, without credentials. */
  readonly url: string
  /** The answer's body as far as it was read: the parsed JSON, or text. */
  readonly body?: unknown
}

/** A request to the REST indexer failed. */
export class ChainRestError extends ChainError<ChainRestErrorCode> {
  override readonly name = 'ChainRestError'
  readonly status: number | undefined
  readonly method: string
  readonly url: string
  readonly body: unknown

  constructor(details: RestErrorDetails) {
    const what = details.status === undefined ? 'got no answer' : `was answered with status ${details.status}`
    super(
      `REST request ${details.method} ${details.url} ${details.code === 'http' ? what : `failed: ${details.code ?? 'failed'}`}`,
      details,
    )
    this.status = details.status
    this.method = details.method
    this.url = details.url
    this.body = details.body
  }
}
