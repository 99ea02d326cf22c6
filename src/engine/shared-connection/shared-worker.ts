import { createBrowserPlatform } from '../../platform/browser.js'
import { holdOwnLock } from '../../platform/hold-lock.js'
import { createNodePort } from '../../wrpc/client.js'
import { createHub } from '../../wrpc/shared/hub.js'
import { toWorkerPort } from '../../wrpc/shared/messages.js'

/**
 * The entry point of the shared worker. It never calls `close()`: Chromium hands later tabs to a worker that has closed
 * itself. It ends with its last tab.
 */

/** The global scope of a shared worker, which is not typed where DOM types are. */
interface Scope {
  readonly name: string
  onconnect: ((event: { readonly ports: readonly [MessagePort] }) => void) | null
}

const scope = globalThis as unknown as Scope
const platform = createBrowserPlatform()
const hub = createHub({
  createPort: (maxFrameSize) => createNodePort(platform, { maxFrameSize }),
  holdLock: holdOwnLock,
  scope: scope.name,
  epoch: crypto.randomUUID(),
  scheduler: platform.scheduler,
})

scope.onconnect = ({ ports: [port] }) => hub.accept(toWorkerPort(port))
