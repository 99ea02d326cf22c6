/** Runs one seed in a worker thread: takes `{ library, run }`, posts the report. */
import { parentPort, workerData } from 'node:worker_threads'

const { runChaos } = await import(workerData.library)
parentPort.postMessage(await runChaos(workerData.run))
