import { userAgent } from './browser.js'
import { isNode } from './node-process.js'

/** The JavaScript runtime: a browser's user agent, or the version of Node. */
export function describeRuntime(): string {
  if (!isNode()) return userAgent()
  const { versions, platform, arch } = globalThis.process
  return `node ${versions.node} ${platform} ${arch}`
}
