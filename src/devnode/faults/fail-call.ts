import { serverError, textError, type WireError } from '../../wrpc/wire-error.js'
import type { FaultKind } from './fault.js'

export type FailCallSettings = {
  /** The method that fails; empty: any. */
  readonly method: string
  /** Which call fails first, counted from 1. */
  readonly nth: number
  /**
   * `text`: the method fails with `message`. The others are errors of the node's RPC server; in Borsh they share one
   * form.
   */
  readonly error: 'text' | 'timeout' | 'no-data' | 'not-found' | 'unreadable-request'
  /** The error text; used by `text` only. */
  readonly message: string
}

/** Fails a call without executing it. */
export const failCall: FaultKind<FailCallSettings> = {
  about: 'Fails the n-th call of a method.',
  settings: { method: '', nth: 1, error: 'text', message: 'Injected failure' },
  choices: { error: ['text', 'timeout', 'no-data', 'not-found', 'unreadable-request'] },
  times: 1,
  create({ method, nth, error, message }, context) {
    const wireError: WireError = error === 'text' ? textError(message) : serverError(error)
    let calls = 0
    return {
      call(called) {
        if (method !== '' && called !== method) return undefined
        calls += 1
        if (calls < nth) return undefined
        context.triggered()
        return { kind: 'refuse', error: wireError }
      },
    }
  },
}
