import { prepareFault, type ActiveFault, type PreparedFault } from './active-fault.js'
import type { FaultSpan, Scene } from './fault.js'
import { FAULT_KINDS, type FaultName, type SettingsOf } from './kinds.js'
import { createFaultLayer, type FaultLayer } from './layer.js'
import { faultSchedule, playRandomFaults, type RandomFaults } from './random-faults.js'

/** Begins a fault. Throws `ChainError` (`invalid-argument`) for a setting that it does not have or take. */
export type BeginFault<N extends FaultName> = (settings?: OwnSettings<SettingsOf<N>> & FaultSpan) => ActiveFault

/** Settings by their names. A kind that has none has an index signature that would forbid those of `FaultSpan` too. */
type OwnSettings<S> = { readonly [K in keyof S as string extends K ? never : K]?: S[K] }

type FaultCommands = { readonly [N in FaultName]: BeginFault<N> }

/** A node's misfortunes, by command. Any number may be active together. */
export interface Faults extends FaultCommands {
  /** The same by name, for whoever has name and settings from elsewhere. */
  begin(name: FaultName, settings?: unknown): ActiveFault
  /**
   * Plays faults at random moments, `rate` a second on average: the same ones for the same seed. Without `kinds` the usual
   * ones, as of `faultSchedule`. Throws `ChainError` (`invalid-argument`) for a rate of 0 or less, and without any kind.
   */
  random(seed: number, rate: number, kinds?: readonly FaultName[]): RandomFaults
  active(): readonly ActiveFault[]
  /** Ends all that are active, and what `random` plays. */
  clear(): void
}

/** The commands, and what the servers ask of the faults that are active. */
export function createFaults(scene: Omit<Scene, 'struck'>): { readonly faults: Faults; readonly layer: FaultLayer } {
  let running: readonly PreparedFault[] = []
  let players: readonly RandomFaults[] = []

  const begin = (name: FaultName, settings?: unknown): ActiveFault => {
    const prepared = prepareFault(name, settings, scene, (over) => (running = running.filter((one) => one !== over)))
    running = [...running, prepared]
    prepared.begin()
    return prepared.handle
  }
  const random = (seed: number, rate: number, kinds?: readonly FaultName[]): RandomFaults => {
    const player = playRandomFaults(seed, faultSchedule(seed, rate, kinds), ({ name, settings }) =>
      begin(name, settings),
    )
    players = [...players, player]
    return player
  }
  const clear = () => {
    for (const player of players) player.stop()
    players = []
    for (const { handle } of running) handle.stop()
  }

  return {
    faults: { ...commands(begin), begin, random, active: () => running.map(({ handle }) => handle), clear },
    layer: createFaultLayer(() => running.map(({ fault }) => fault)),
  }
}

/** A command for each kind. Their settings are read, not trusted, so one function serves all. */
function commands(begin: Faults['begin']): FaultCommands {
  const names = Object.keys(FAULT_KINDS) as FaultName[]
  return Object.fromEntries(names.map((name) => [name, (settings?: unknown) => begin(name, settings)])) as FaultCommands
}
