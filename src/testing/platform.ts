import { BehaviorSubject, type SchedulerAction, type SchedulerLike } from 'rxjs'
import type { Platform, PlatformStorage } from '../platform/port.js'

/** Surroundings that a test is the master of. */
export interface TestPlatform extends Platform {
  readonly online$: BehaviorSubject<boolean>
  readonly visible$: BehaviorSubject<boolean>
  readonly storage: PlatformStorage
  /** Sets the wall clock ahead of the timers, or back: a laptop that slept, a user who set the time. */
  shiftClock(ms: number): void
}

export interface TestPlatformOptions {
  /** Where all timers run: `asyncScheduler` under the fake timers of a test runner, say. */
  readonly scheduler: SchedulerLike
  /** Ms from one frame to the next. @default 16 */
  readonly frame?: number | undefined
  /** What `random` answers. @default () => 0 */
  readonly random?: (() => number) | undefined
  /** @default a network on which nothing answers */
  readonly fetch?: typeof fetch | undefined
}

/** A platform in virtual time: online, visible, without randomness, with a storage in memory. */
export function createTestPlatform(options: TestPlatformOptions): TestPlatform {
  const { scheduler, frame = 16, random = () => 0 } = options
  let shift = 0
  return {
    now: () => scheduler.now() + shift,
    scheduler,
    frames: {
      now: () => scheduler.now(),
      schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) =>
        scheduler.schedule(work, Math.max(delay, frame), state),
    },
    random,
    online$: new BehaviorSubject(true),
    visible$: new BehaviorSubject(true),
    secure: false,
    storage: createMemoryStorage(),
    fetch: options.fetch ?? (() => Promise.reject(new TypeError('There is no network in this test'))),
    openSocket: () => Promise.reject(new TypeError('There are no sockets in this test')),
    shiftClock: (ms) => {
      shift += ms
    },
  }
}

function createMemoryStorage(): PlatformStorage {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => {
      values.set(key, value)
    },
    remove: (key) => {
      values.delete(key)
    },
  }
}
