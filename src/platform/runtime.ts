import { userAgent } from './browser.js'
import { isNode } from './detect.js'

/** The JavaScript runtime: a browser's user agent, or the version of Node. */
export const describeRuntime = (): string =>
  isNode() ? `node ${process.versions.node} ${process.platform} ${process.arch}` : userAgent()
