import { invalidArgument } from '../../errors/chain-error.js'
import { isRpcMethod } from '../../node/messages/lookup.js'
import type { FaultKind, FaultSettings, FaultSpan } from './fault.js'

/** The settings of a caller, with defaults. */
export interface ResolvedSettings {
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
