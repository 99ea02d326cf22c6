import { serverError, textError, type WireError } from '../../wrpc/wire-error.js'
import type { FaultKind } from './fault.js'

export type FailCallSettings = {
  /** The method that fails; empty: any. */
  readonly method: string
  /** Which call fails first, counted from 1. */
  readonly nth: number
  /** `text`: the method refuses, in the words of `message`. All others are errors of the node's RPC server, of one form in Borsh. */
  readonly error: 'text' | 'timeout' | 'no-data' | 'not-found' | 'unreadable-request'
  /** What the node says. */
  readonly message: string
}

/** A call is refused, without being executed. */
export const failCall: FaultKind<FailCallSettings> = {
  about: 'Refuses the n-th call of a method.',
  settings: { method: '', nth: 1, error: 'text', message: 'Injected failure' },
  choices: { error: ['text', 'timeout', 'no-data', 'not-found', 'unreadable-request'] },
  times: 1,
  create({ method, nth, error, message }, scene) {
    const said: WireError = error === 'text' ? textError(message) : serverError(error)
    let calls = 0
    return {
      call(called) {
        if (method !== '' && called !== method) return undefined
        calls += 1
        if (calls < nth) return undefined
        scene.struck()
        return { kind: 'refuse', error: said }
      },
    }
  },
}
