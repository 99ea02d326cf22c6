import { createBrowserPlatform } from './browser.js'
import { isNode } from './node-process.js'
import type { Platform } from './port.js'
import { createServerPlatform } from './server.js'

/** The current platform. A document, or the absence of Node, means a browser or a worker. */
export function createPlatform(): Platform {
  return 'document' in globalThis || !isNode() ? createBrowserPlatform() : createServerPlatform()
}
