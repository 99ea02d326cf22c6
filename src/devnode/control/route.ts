import type { DevnodeBase } from '../devnode.js'
import type { Body } from './body.js'

/** The input of a route. */
export interface RouteInput {
  readonly devnode: DevnodeBase
  readonly body: Body
  readonly query: URLSearchParams
  /** The value of `:name` in the path; empty if the route has none. */
  readonly name: string
}

/** One route of the control endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `:name` at the end matches one segment. */
  readonly path: string
  readonly about: string
  /** The JSON of the response, or a promise of it; bigints become strings of digits. */
  readonly run: (input: RouteInput) => unknown
}

/** The response of a route without a result. */
export const done = {}
