import { defer, throwError } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import type { Platform } from '../platform/port.js'
import type { NodeLink } from './session/node-link.js'

/** What a look-back may cost: a node could make it last without end. */
export interface Budget {
  readonly requests: number
  /** Ms from the first request. */
  readonly time: number
}

/**
 * A `call` for one look-back. Errors with `ChainError` once the budget is used up; no request lasts longer than the
 * time that is left.
 */
export function withinBudget(
  call: NodeLink['call'],
  { requests, time }: Budget,
  { now }: Pick<Platform, 'now'>,
): NodeLink['call'] {
  let used = 0
  let end: number | undefined
  return (method, request) =>
    defer(() => {
      end ??= now() + time
      used++
      const maxTimeout = end - now()
      if (used <= requests && maxTimeout > 0) return call(method, request, { maxTimeout })
      return throwError(() => exhausted(used > requests ? `${requests} requests` : `${time} ms`))
    })
}

const exhausted = (bound: string): ChainError =>
  new ChainError(`The node did not end the reading of its chain within ${bound}`, {
    hint: 'Connect to another node.',
  })
