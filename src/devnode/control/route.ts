import type { Devnode } from '../devnode.js'
import type { Body } from './body.js'

/** What a route is given. */
export interface RouteInput {
  readonly devnode: Devnode
  readonly body: Body
  readonly query: URLSearchParams
  /** What stands in the path in place of `:name`; empty where the route has none. */
  readonly name: string
}

/** One thing that can be asked of the control endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `:name` at the end stands for any one segment. */
  readonly path: string
  readonly about: string
  /** The answer's JSON, or a promise of it; bigints are written as their digits in text. */
  readonly run: (input: RouteInput) => unknown
}

/** A route that answers with nothing but its success. */
export const done = {}
