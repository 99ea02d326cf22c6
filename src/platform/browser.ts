import { defer, distinctUntilChanged, fromEvent, map, merge, of, startWith, type Observable } from 'rxjs'
import { FRAME, createFrames } from './frames.js'
import type { Platform, PlatformStorage } from './port.js'
import { adoptSocket } from './socket.js'
import { steadyScheduler } from './steady.js'

/** How long, in ms, a frame may fail to come before we go on without it: a hidden page is given none. */
const FRAME_PATIENCE = 100

/** The surroundings of a page, or of a worker as far as it has them. Nothing is touched before it is asked for. */
export function createBrowserPlatform(): Platform {
  const now = (): number => Date.now()
  return {
    now,
    scheduler: steadyScheduler,
    frames: createFrames(requestFrame, now),
    random: () => Math.random(),
    online$: following(['online', 'offline'], globalThis, () => navigator.onLine),
    visible$:
      typeof document === 'undefined'
        ? of(true)
        : following(['visibilitychange', 'resume'], document, () => document.visibilityState === 'visible'),
    secure: location.protocol === 'https:',
    storage: openStorage(),
    fetch: (...request) => fetch(...request),
    openSocket: (url) => new Promise((resolve) => resolve(adoptSocket(new WebSocket(url)))),
  }
}

/** What `read` answers, now and after each event of `target`. */
function following<T>(types: readonly string[], target: EventTarget, read: () => T): Observable<T> {
  return defer(() =>
    merge(...types.map((type) => fromEvent(target, type))).pipe(
      startWith(undefined),
      map(read),
      distinctUntilChanged(),
    ),
  )
}

/** The display's next frame, or a timer where none comes: whichever is first takes the other back. */
function requestFrame(work: () => void): () => void {
  const run = (): void => {
    cancel()
    work()
  }
  const isPaced = typeof requestAnimationFrame === 'function'
  const frame = isPaced ? requestAnimationFrame(run) : undefined
  const timer = setTimeout(run, isPaced ? FRAME_PATIENCE : FRAME)
  const cancel = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  return cancel
}

function openStorage(): PlatformStorage | null {
  const storage = attempt(() => localStorage)
  return storage === null
    ? null
    : {
        get: (key) => attempt(() => storage.getItem(key)),
        set: (key, value) => attempt(() => storage.setItem(key, value)),
        remove: (key) => attempt(() => storage.removeItem(key)),
      }
}

/** What `read` answers, null where it is forbidden. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    // A sandboxed frame, blocked cookies or a full disk throw here. What is stored is a convenience: going on without is right.
    return null
  }
}
