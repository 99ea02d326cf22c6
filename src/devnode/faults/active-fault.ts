import type { Fault, FaultKind, FaultSettings, Scene } from './fault.js'
import { FAULT_KINDS, type FaultName } from './kinds.js'
import { readSettings } from './settings.js'

/** A fault that was begun. */
export interface ActiveFault {
  readonly name: FaultName
  readonly settings: FaultSettings
  /** How often it has struck so far. */
  readonly strikes: number
  /** Ends it; safe to call twice. */
  stop(): void
}

/** A fault in the making: what it does, and the two ends of its life. */
export interface PreparedFault {
  readonly fault: Fault
  readonly handle: ActiveFault
  begin(): void
}

/**
 * Makes a fault that ends when it is stopped, when its time is over, or when it has struck often enough; `ended` hears of it once.
 * Throws `ChainError` (`invalid-argument`) for a setting that it does not have or take.
 */
export function prepareFault(
  name: FaultName,
  given: unknown,
  scene: Omit<Scene, 'struck'>,
  ended: (fault: PreparedFault) => void,
): PreparedFault {
  const kind: FaultKind = FAULT_KINDS[name]
  const { settings, span } = readSettings(kind, given)
  const life: { strikes: number; stage: 'fresh' | 'active' | 'over'; timer?: NodeJS.Timeout } = {
    strikes: 0,
    stage: 'fresh',
  }
  const stop = () => {
    if (life.stage !== 'active') return
    life.stage = 'over'
    clearTimeout(life.timer)
    fault.end?.()
    ended(prepared)
  }
  const struck = () => {
    life.strikes += 1
    if (life.strikes === span.times) stop()
  }
  const begin = () => {
    life.stage = 'active'
    if (span.for > 0) life.timer = setTimeout(stop, span.for)
    fault.begin?.()
  }
  const fault = kind.create(settings, { ...scene, struck })
  const prepared: PreparedFault = { fault, handle: toHandle(name, settings, () => life.strikes, stop), begin }
  return prepared
}

function toHandle(name: FaultName, settings: FaultSettings, strikes: () => number, stop: () => void): ActiveFault {
  return {
    name,
    settings,
    get strikes() {
      return strikes()
    },
    stop,
  }
}
