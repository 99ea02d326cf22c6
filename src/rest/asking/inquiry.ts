import type { Keep } from './keep.js'

/** What is asked, as errors tell it. */
export interface Asked {
  readonly method: 'GET' | 'POST'
  readonly url: string
}

/** An answer that keeps its endpoint's promise. */
export interface Answer<T> {
  readonly value: T
  readonly status: number
  readonly headers: Headers
}

/** One request to the server, ready to be sent, and how its answer is to be taken. */
export interface Inquiry<T> {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  /** JSON. */
  readonly body?: string | undefined
  readonly keep: Keep
  /** Where the answer lies in the cache: equal keys mean equal answers. */
  readonly key: string
  /** The server may itself need a minute. */
  readonly slow?: true | undefined
  /** Has effects: never sent twice, whatever happens. */
  readonly once?: true | undefined
  /** Reads the response to the end. Rejects with `ChainRestError` for what is no answer. */
  readonly read: (asked: Asked, response: Response) => Promise<Answer<T>>
  /** Whether the answer may stand as long as the server says. */
  readonly isSettled: (value: T) => boolean
}
