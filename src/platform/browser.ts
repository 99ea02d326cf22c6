import { defer, distinctUntilChanged, fromEvent, map, merge, of, startWith, type Observable } from 'rxjs'
import { BROWSER_MAX_FRAME_SIZE, wrapSocket } from './socket.js'
import { FRAME, createFrames, monotonicScheduler } from './schedulers.js'
import type { Platform, PlatformStorage } from './port.js'

/** Ms after which a timer replaces the animation frame: a hidden page gets no frames. */
const FRAME_TIMEOUT = 100

/** The platform of a page or a worker. */
export function createBrowserPlatform(): Platform {
  const now = (): number => Date.now()
  return {
    now,
    scheduler: monotonicScheduler,
    frames: createFrames(requestFrame, now),
    random: () => Math.random(),
    online$: currentValue$(['online', 'offline'], globalThis, () => navigator.onLine),
    visible$:
      typeof document === 'undefined'
        ? of(true)
        : currentValue$(['visibilitychange', 'resume'], document, () => document.visibilityState === 'visible'),
    secure: location.protocol === 'https:',
    storage: openStorage(() => localStorage),
    tabStorage: openStorage(() => sessionStorage),
    fetch: (...request) => fetch(...request),
    maxFrameSize: BROWSER_MAX_FRAME_SIZE,
    openSocket: (url) => new Promise((resolve) => resolve(wrapSocket(new WebSocket(url)))),
  }
}

/** The browser's name and version; also of workers. */
export const userAgent = (): string => navigator.userAgent

/** The result of `read`, now and after each event of `target`. */
function currentValue$<T>(types: readonly string[], target: EventTarget, read: () => T): Observable<T> {
  return defer(() =>
    merge(...types.map((type) => fromEvent(target, type))).pipe(
      startWith(undefined),
      map(read),
      distinctUntilChanged(),
    ),
  )
}

/** Runs `work` at the next animation frame or after the timeout, whichever comes first. */
function requestFrame(work: () => void): () => void {
  const run = (): void => {
    cancel()
    work()
  }
  const isPaced = typeof requestAnimationFrame === 'function'
  const frame = isPaced ? requestAnimationFrame(run) : undefined
  const timer = setTimeout(run, isPaced ? FRAME_TIMEOUT : FRAME)
  const cancel = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  return cancel
}

function openStorage(open: () => Storage): PlatformStorage | null {
  const storage = tryOrNull(open)
  return storage === null
    ? null
    : {
        get: (key) => tryOrNull(() => storage.getItem(key)),
        set: (key, value) => tryOrNull(() => storage.setItem(key, value)),
        remove: (key) => tryOrNull(() => storage.removeItem(key)),
      }
}

/** The result of `read`; null if it throws. */
function tryOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    // Thrown by a sandboxed frame, blocked cookies or a full disk. Storage is optional.
    return null
  }
}
