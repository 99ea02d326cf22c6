import { createBrowserPlatform } from '../../platform/browser.js'
import { holdOwnLock } from '../../platform/tabs.js'
import { createNodePort } from '../../wrpc/client.js'
import { createHub } from '../../wrpc/shared/hub.js'
import { toWorkerPort } from '../../wrpc/shared/messages.js'
import { createReception } from '../../wrpc/shared/shared-port.js'

/**
 * The entry point of the shared worker. It never calls `close()`: Chromium hands later tabs to a worker that has closed
 * itself. It ends with its last tab.
 */

/** The global scope of a shared worker, which is not typed where DOM types are. */
interface WorkerScope {
  onconnect: ((event: { readonly ports: readonly [MessagePort] }) => void) | null
}

// the types of the DOM library are those of a page
const worker = globalThis as unknown as WorkerScope
const platform = createBrowserPlatform()
const epoch = crypto.randomUUID()
const reception = createReception((scope) =>
  createHub({
    createPort: (maxFrameSize) => createNodePort(platform, { maxFrameSize }),
    holdLock: holdOwnLock,
    scope,
    epoch,
    scheduler: platform.scheduler,
  }),
)

worker.onconnect = ({ ports: [port] }) => reception.accept(toWorkerPort(port))
