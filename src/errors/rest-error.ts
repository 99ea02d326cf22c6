import { ChainError, type ChainErrorOptions } from './chain-error.js'
import { redact } from './redact.js'
import type { RejectReason } from './rpc-error.js'
import { shownValue } from './shown.js'

/**
 * - `http`: the server responded with an error status. `network`: there was no response, or the server has lost its
 *   node.
 * - `timeout`: ended by the deadline, or the server's node did not respond to it. `aborted`: ended by the caller's
 *   signal.
 * - `malformed`: the body cannot be read: no JSON, or not of the endpoint's shape. `too-large`: it exceeds
 *   `maxResponseSize`.
 * - `unexpected-response`: the body is about another address or id than requested, or has amounts or times that cannot
 *   be.
 * - `invalid-argument`: rejected before sending. `disposed`: called after the client was disposed.
 * - `too-many`: the address has more entries than the server lists; it returns an empty list then.
 */
export type ChainRestErrorCode =
  | 'http'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'disposed'
  | 'malformed'
  | 'unexpected-response'
  | 'invalid-argument'
  | 'too-large'
  | 'too-many'
  | 'failed'

export interface ChainRestErrorOptions extends ChainErrorOptions<ChainRestErrorCode> {
  /** The HTTP status; undefined without a response. */
  readonly status?: number | undefined
  readonly method: string
  /** The requested URL. Credentials in it are masked. */
  readonly url: string
  /** The base URL as it was configured: the keys in its path are masked in message and body. */
  readonly baseUrl?: string | undefined
  /** The response body: parsed JSON, or text. Credentials in it are masked. */
  readonly body?: unknown
  /** What was wrong, appended to the message: the server's words, or ours. */
  readonly reason?: string | undefined
  /** The server's `Retry-After`, in ms. */
  readonly retryAfter?: number | undefined
  /** Why the server's node refused a transaction. */
  readonly rejection?: RejectReason | undefined
}

/** The outcome of the request, as worded in the message. */
const OUTCOMES: Readonly<Record<ChainRestErrorCode, string>> = {
  http: 'failed with status',
  network: 'got no response',
  timeout: 'timed out',
  aborted: 'was aborted',
  disposed: 'was not sent',
  malformed: 'got a malformed response',
  'unexpected-response': 'got an unexpected response',
  'invalid-argument': 'was not sent',
  'too-large': 'got a response that is too large',
  'too-many': 'has more entries than the server lists',
  failed: 'failed',
}

/**
 * A request to the REST indexer failed. `code` is the kind of failure; `hint` the remedy; `argument` names a rejected
 * argument.
 */
export class ChainRestError extends ChainError<ChainRestErrorCode> {
  override readonly name = 'ChainRestError'
  readonly status: number | undefined
  readonly method: string
  readonly url: string
  readonly body: unknown
  readonly retryAfter: number | undefined
  /**
   * Only of `submitTransaction`: why the server's node refused the transaction. It proves nothing about the network.
   */
  readonly reason: RejectReason | undefined

  constructor(options: ChainRestErrorOptions) {
    const show = (text: string): string => redact(text, options.baseUrl)
    const url = show(options.url)
    super(show(toMessage({ ...options, url })), options)
    this.status = options.status
    this.method = options.method
    this.url = url
    this.body = shownValue(options.body, show)
    this.retryAfter = options.retryAfter
    this.reason = options.rejection
  }
}

function toMessage({ code = 'failed', status, method, url, reason }: ChainRestErrorOptions): string {
  const outcome = code === 'http' ? `${OUTCOMES.http} ${status ?? 'unknown'}` : OUTCOMES[code]
  return `REST request ${method} ${url} ${outcome}${reason === undefined ? '' : `: ${reason}`}`
}
