import { createBrowserPlatform } from './browser.js'
import type { Platform } from './port.js'
import { createServerPlatform } from './server.js'

/** The platform we run on: a document, or the absence of Node, means a browser or one of its workers. */
export function createPlatform(): Platform {
  return 'document' in globalThis || !isNode() ? createBrowserPlatform() : createServerPlatform()
}

const isNode = (): boolean => typeof process !== 'undefined' && 'versions' in process && 'node' in process.versions
