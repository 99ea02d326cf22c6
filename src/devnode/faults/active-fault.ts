import type { Fault, FaultKind, FaultSettings, FaultContext, FaultSpan } from './fault.js'
import { FAULT_KINDS, type FaultName } from './kinds.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { isRpcMethod } from '../../node/messages/lookup.js'

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

/** The settings of a caller, with defaults. */
interface ResolvedSettings {
  readonly settings: FaultSettings
  readonly span: Required<FaultSpan>
}

/**
 * Validates settings and fills in the defaults of their kind.
 * Throws `ChainError` (`invalid-argument`) for an unknown setting or an invalid value.
 */
export function readSettings(kind: FaultKind, given: unknown = {}): ResolvedSettings {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw invalidArgument('settings', 'The settings of a fault are an object', 'Omit them for the defaults.')
  }
  const allowed: FaultSettings = { ...kind.settings, for: 0, times: kind.times ?? 0 }
  const chosen: Record<string, number | string> = { ...allowed }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) chosen[name] = readSetting(kind, allowed, name, value)
  }
  const { for: duration, times, ...settings } = chosen
  return { settings, span: { for: Number(duration), times: Number(times) } }
}

function readSetting(kind: FaultKind, allowed: FaultSettings, name: string, value: unknown): number | string {
  const fallback = allowed[name]
  if (fallback === undefined) {
    throw invalidArgument(name, `A fault has no setting "${name}"`, `It has ${Object.keys(allowed).join(', ')}.`)
  }
  const choices = kind.choices?.[name]
  if (choices !== undefined) {
    const choice = choices.find((one) => one === value)
    if (choice !== undefined) return choice
    throw invalidArgument(name, `The setting "${name}" is invalid`, `Allowed is ${choices.join(', ')}.`)
  }
  if (name === 'method' && value !== '' && !isRpcMethod(value))
    // the fault would never take effect, and its test pass
    throw invalidArgument(name, 'The setting "method" names no method of a node', 'Such as submitTransaction.')
  if (typeof fallback === 'string' && typeof value === 'string') return value
  if (typeof fallback === 'number' && typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value
  const form = typeof fallback === 'string' ? 'text' : 'a number, 0 or more'
  throw invalidArgument(name, `The setting "${name}" is invalid`, `Allowed is ${form}.`)
}
