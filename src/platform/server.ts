import { NEVER, concat, of, type Observable } from 'rxjs'
import { FRAME, createFrames } from './frames.js'
import type { Platform } from './port.js'
import { steadyScheduler } from './steady.js'

/** The surroundings of a server: always online, always looked at, without storage. Sockets come from a chunk of their own. */
export function createServerPlatform(): Platform {
  const now = (): number => Date.now()
  return {
    now,
    scheduler: steadyScheduler,
    frames: createFrames(requestFrame, now),
    random: () => Math.random(),
    online$: always(true),
    visible$: always(true),
    secure: false,
    storage: null,
    fetch: (...request) => fetch(...request),
    openSocket: async (url) => (await import('./node.js')).openNodeSocket(url),
  }
}

const always = <T>(value: T): Observable<T> => concat(of(value), NEVER)

function requestFrame(work: () => void): () => void {
  const timer = setTimeout(work, FRAME)
  return () => clearTimeout(timer)
}
