import type { FaultKind } from './fault.js'

export type FailCallSettings = {
  /** The method that fails; empty: any. */
  readonly method: string
  /** Which call fails first, counted from 1. */
  readonly nth: number
  /** What the node says. */
  readonly message: string
}

/** A call is refused, without being executed. */
export const failCall: FaultKind<FailCallSettings> = {
  about: 'Refuses the n-th call of a method.',
  settings: { method: '', nth: 1, message: 'Injected failure' },
  times: 1,
  create({ method, nth, message }, scene) {
    let calls = 0
    return {
      call(called) {
        if (method !== '' && called !== method) return undefined
        calls += 1
        if (calls < nth) return undefined
        scene.struck()
        return { kind: 'refuse', message }
      },
    }
  },
}
