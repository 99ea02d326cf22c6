import { BehaviorSubject, type SchedulerAction, type SchedulerLike } from 'rxjs'
import type { Platform, PlatformStorage } from '../platform/port.js'
import { connectionModule } from '../engine/open-ports.js'
import { statusesModule } from '../engine/features/transaction-status.js'
import { utxoSetsModule } from '../engine/features/utxos.js'
import { resumedBatchesModule } from '../streams/acceptance/acceptance.js'
import { sendersModule } from '../streams/acceptance/accepted-transactions.js'

/** A platform under a test's control. */
export interface TestPlatform extends Platform {
  readonly online$: BehaviorSubject<boolean>
  readonly visible$: BehaviorSubject<boolean>
  readonly storage: PlatformStorage
  readonly tabStorage: PlatformStorage
  /** Shifts the wall clock without the timers, as after sleep or a manual change of the time. */
  shiftClock(ms: number): void
}

export interface TestPlatformOptions {
  /** The scheduler of all timers, for example `asyncScheduler` with a test runner's fake timers. */
  readonly scheduler: SchedulerLike
  /** Ms between animation frames. @default 16 */
  readonly frame?: number | undefined
  /** The result of `random`. @default () => 0 */
  readonly random?: (() => number) | undefined
  /** @default rejects every request */
  readonly fetch?: typeof fetch | undefined
}

/** A platform in virtual time: online, visible, with constant randomness and in-memory storage. */
export function createTestPlatform(options: TestPlatformOptions): TestPlatform {
  const { scheduler, frame = 16, random = () => 0 } = options
  let clockOffset = 0
  return {
    now: () => scheduler.now() + clockOffset,
    scheduler,
    frames: {
      now: () => scheduler.now(),
      // oxlint-disable-next-line typescript/no-useless-default-assignment -- callers may leave it out
      schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) =>
        scheduler.schedule(work, Math.max(delay, frame), state),
    },
    random,
    online$: new BehaviorSubject(true),
    visible$: new BehaviorSubject(true),
    secure: false,
    storage: createMemoryStorage(),
    tabStorage: createMemoryStorage(),
    fetch: options.fetch ?? (() => Promise.reject(new TypeError('The test platform has no network'))),
    openSocket: () => Promise.reject(new TypeError('The test platform has no sockets')),
    shiftClock: (ms) => {
      clockOffset += ms
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

/**
 * Loads what engines load on demand for their streams. Afterwards streams over a devnode in memory or a scripted node
 * work within `TestScheduler.run()` and under fake timers, where nothing can be loaded. Rejects where a part cannot be
 * loaded.
 */
export async function ready(): Promise<void> {
  const modules = [connectionModule, utxoSetsModule, statusesModule, resumedBatchesModule, sendersModule]
  await Promise.all(modules.map((module) => module.load()))
}
