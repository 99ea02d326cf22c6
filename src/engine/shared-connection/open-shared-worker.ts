import { toWorkerPort, type WorkerPort } from '../../wrpc/shared/messages.js'

/**
 * Connects to the shared worker of this page's origin, and starts it where there is none. `onBlocked`: its file is not
 * served, or the Content-Security-Policy forbids workers, which throws nothing. Bundlers recognise the first expression
 * and add the worker's file to the build; it must stay as it is, for Vite 5 refuses variables in the options.
 */
export function openSharedWorker(url: string | URL | undefined, onBlocked: () => void): WorkerPort {
  const worker =
    url === undefined
      ? new SharedWorker(new URL('./shared-worker.js', import.meta.url), { type: 'module' })
      : new SharedWorker(url, { type: 'module' })
  worker.onerror = (event) => {
    event.preventDefault() // not an uncaught error of the page: it goes on with a connection of its own
    onBlocked()
  }
  return toWorkerPort(worker.port)
}
