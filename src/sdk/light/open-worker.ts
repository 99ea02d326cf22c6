import { isFile, threads } from './sign-hashes.js'

export interface WorkerHandlers {
  readonly onMessage: (data: unknown) => void
  /** It could not be loaded, or ended by itself. */
  readonly onFailure: () => void
}

/** A Web Worker, or a thread of Node. */
export interface OpenedWorker {
  readonly post: (message: unknown) => void
  readonly end: () => void
}

/** Opens a worker. Throws where the environment has none, or does not allow it. */
export type OpenWorker = (handlers: WorkerHandlers) => OpenedWorker

export const openSignWorker: OpenWorker = (handlers) =>
  typeof Worker === 'function' ? openWebWorker(handlers) : openThread(handlers)

/** Bundlers recognise the first expression, which must stay as it is, and add the worker's file to the build. */
function openWebWorker({ onMessage, onFailure }: WorkerHandlers): OpenedWorker {
  const worker = new Worker(new URL('./sign-worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<unknown>) => onMessage(data)
  worker.onmessageerror = onFailure
  worker.onerror = (event) => {
    event.preventDefault() // not an uncaught error of the page: it signs without a worker
    onFailure()
  }
  return { post: (message) => worker.postMessage(message), end: () => worker.terminate() }
}

/** In a variable, so that bundlers do not copy the file as an asset. */
const FILE = './sign-worker.js'

function openThread({ onMessage, onFailure }: WorkerHandlers): OpenedWorker {
  const Thread = threads()?.Worker
  const url = new URL(FILE, import.meta.url)
  if (Thread === undefined || !isFile(url)) throw new Error('There is no worker') // a bundled server lacks the file
  const thread = new Thread(url, { execArgv: [] }) // `--input-type` and others forbid a file
  thread.on('message', onMessage)
  for (const event of ['messageerror', 'error', 'exit']) thread.on(event, onFailure)
  return { post: (message) => thread.postMessage(message), end: () => void thread.terminate() }
}
