import type { Fault, FaultKind, FaultSettings, FaultContext } from './fault.js'
import { FAULT_KINDS, type FaultName } from './kinds.js'
import { readSettings } from './settings.js'

/** A fault that has begun. */
export interface ActiveFault {
  readonly name: FaultName
  readonly settings: FaultSettings
  /** How often it has taken effect so far. */
  readonly triggered: number
  /** Ends it; safe to call twice. */
  stop(): void
}

/** A fault that has not begun yet: its hooks, its public handle, and the call that begins it. */
export interface PreparedFault {
  readonly fault: Fault
  readonly handle: ActiveFault
  begin(): void
}

/**
 * Creates a fault that ends by `stop()`, after `for` ms, or once it has triggered `times` times; then calls `ended`
 * once. Throws `ChainError` (`invalid-argument`) for an unknown setting or an invalid value.
 */
export function prepareFault(
  name: FaultName,
  given: unknown,
  context: Omit<FaultContext, 'triggered'>,
  ended: (fault: PreparedFault) => void,
): PreparedFault {
  const kind: FaultKind = FAULT_KINDS[name]
  const { settings, span } = readSettings(kind, given)
  const state: { triggered: number; status: 'prepared' | 'active' | 'ended'; cancel?: () => void } = {
    triggered: 0,
    status: 'prepared',
  }
  const stop = () => {
    if (state.status !== 'active') return
    state.status = 'ended'
    state.cancel?.()
    fault.end?.()
    ended(prepared)
  }
  const triggered = () => {
    state.triggered += 1
    if (state.triggered === span.times) stop()
  }
  const begin = () => {
    state.status = 'active'
    if (span.for > 0) state.cancel = context.timers.after(span.for, stop)
    fault.begin?.()
  }
  const fault = kind.create(settings, { ...context, triggered })
  const prepared: PreparedFault = { fault, handle: toHandle(name, settings, () => state.triggered, stop), begin }
  return prepared
}

function toHandle(name: FaultName, settings: FaultSettings, triggered: () => number, stop: () => void): ActiveFault {
  return {
    name,
    settings,
    get triggered() {
      return triggered()
    },
    stop,
  }
}
