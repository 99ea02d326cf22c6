import { createBrowserPlatform, userAgent } from './browser.js'
import { isNode } from './node-process.js'
import type { Platform } from './port.js'
import { loadCode } from '../loading/load-code.js'
import { NEVER, concat, of, type Observable } from 'rxjs'
import { NODE_MAX_FRAME_SIZE } from './socket.js'
import { FRAME, createFrames, monotonicScheduler } from './schedulers.js'

/** The current platform. A document, or the absence of Node, means a browser or a worker. */
export function createPlatform(): Platform {
  return 'document' in globalThis || !isNode() ? createBrowserPlatform() : createServerPlatform()
}

/** The JavaScript runtime: a browser's user agent, or the version of Node. */
export function describeRuntime(): string {
  if (!isNode()) return userAgent()
  const { versions, platform, arch } = globalThis.process
  return `node ${versions.node} ${platform} ${arch}`
}

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
