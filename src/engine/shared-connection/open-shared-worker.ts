import { toWorkerPort, type WorkerPort } from '../../wrpc/shared/messages.js'

/**
 * Connects to the shared worker of this name, and starts it where there is none. `onBlocked`: its file is not served,
 * or the Content-Security-Policy forbids workers, which throws nothing. Bundlers recognise the second expression, which
 * must stay as it is, and add the worker's file to the build.
 */
export function openSharedWorker(name: string, url: string | URL | undefined, onBlocked: () => void): WorkerPort {
  const worker =
    url === undefined
      ? new SharedWorker(new URL('./shared-worker.js', import.meta.url), { type: 'module', name })
      : new SharedWorker(url, { type: 'module', name })
  worker.onerror = (event) => {
    event.preventDefault() // not an uncaught error of the page: it goes on with a connection of its own
    onBlocked()
  }
  return toWorkerPort(worker.port)
}
