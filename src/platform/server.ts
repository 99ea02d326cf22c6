import { loadCode } from '../loading/load-code.js'
import { NEVER, concat, of, type Observable } from 'rxjs'
import { NODE_MAX_FRAME_SIZE } from './max-frame-size.js'
import { FRAME, createFrames } from './frames.js'
import type { Platform } from './port.js'
import { monotonicScheduler } from './monotonic.js'

/** The platform of a server: always online and visible, without storage. Sockets are loaded lazily. */
export function createServerPlatform(): Platform {
  const now = (): number => Date.now()
  return {
    now,
    scheduler: monotonicScheduler,
    frames: createFrames(requestFrame, now),
    random: () => Math.random(),
    online$: always$(true),
    visible$: always$(true),
    secure: false,
    storage: null,
    fetch: (...request) => fetch(...request),
    maxFrameSize: NODE_MAX_FRAME_SIZE,
    openSocket: async (url, options) => (await loadCode(() => import('./node.js'))).openNodeSocket(url, options),
  }
}

const always$ = <T>(value: T): Observable<T> => concat(of(value), NEVER)

function requestFrame(work: () => void): () => void {
  const timer = setTimeout(work, FRAME)
  return () => clearTimeout(timer)
}
