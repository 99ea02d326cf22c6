import type { SchedulerLike } from 'rxjs'

/** What a node reports about its machine and process. */
export interface Machine {
  /** Bytes. */
  totalMemory(): number
  process(): ProcessUsage
}

export interface ProcessUsage {
  /** Bytes. */
  readonly residentSetSize: number
  readonly virtualMemorySize: number
  /** Share of one core since the start. */
  readonly cpuUsage: number
}

/** For a node that cannot measure itself. */
export const UNKNOWN_MACHINE: Machine = {
  totalMemory: () => 0,
  process: () => ({ residentSetSize: 0, virtualMemorySize: 0, cpuUsage: 0 }),
}

/** The timers of a devnode, in milliseconds of a monotonic clock. */
export interface Timers {
  now(): number
  /** Runs `work` once after `delay` ms; the result cancels it. */
  after(delay: number, work: () => void): () => void
}

/** The runtime's timers. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  after(delay, work) {
    const timer = setTimeout(work, delay)
    return () => clearTimeout(timer)
  },
}

/** The timers of an RxJS scheduler, which may be virtual. */
export const createTimers = (scheduler: SchedulerLike): Timers => ({
  now: () => scheduler.now(),
  after(delay, work) {
    const action = scheduler.schedule(work, delay)
    return () => action.unsubscribe()
  },
})

/** Returns numbers in [0, 1): the same sequence for the same seed, on any machine. */
export type Random = () => number

/** A 32-bit generator: an additive counter, mixed by two multiply-and-shift steps. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = Math.trunc(seed) >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** The identity that the node reports. */
export interface Identity {
  /** The simulated kaspad release. */
  readonly version: string
  readonly p2pId: string
  /** 32 bytes, hex. */
  readonly systemId: string
}

/** The kaspad release whose rules, constants and error texts this devnode follows. */
export const NODE_VERSION = '2.1.0'

/** The same identity for the same seed. */
export function createIdentity(seed: number): Identity {
  const random = createRandom(seed)
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('')
  const p2pId = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}` // a version 4 UUID
  return { version: NODE_VERSION, p2pId, systemId: hex(64) }
}
