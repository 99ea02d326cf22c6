import { createBrowserPlatform } from './browser.js'
import type { Platform } from './port.js'
import { createServerPlatform } from './server.js'

/** The current platform. A document, or the absence of Node, means a browser or a worker. */
export function createPlatform(): Platform {
  return 'document' in globalThis || !isNode() ? createBrowserPlatform() : createServerPlatform()
}

/** Whether the runtime is Node; true in some bundles for browsers that define `process`, too. */
export const isNode = (): boolean =>
  typeof globalThis.process !== 'undefined' && 'versions' in globalThis.process && 'node' in globalThis.process.versions
