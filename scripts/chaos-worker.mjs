/** Plays one seed on a thread of its own, so that no seed has to wait for another: `{ library, run }` in, its report out. */
import { parentPort, workerData } from 'node:worker_threads'

const { runChaos } = await import(workerData.library)
parentPort.postMessage(await runChaos(workerData.run))
