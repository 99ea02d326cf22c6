/** Plays seeds in a worker thread: takes `{ library, runs, sideBySide }`, posts `{ run, report }` for each. */
import { parentPort, workerData } from 'node:worker_threads'

const { library, runs, sideBySide } = workerData
const { runChaos } = await import(library)
const queue = [...runs]

async function drain() {
  for (let run = queue.shift(); run !== undefined; run = queue.shift())
    parentPort.postMessage({ run, report: await runChaos(run) })
}

await Promise.all(Array.from({ length: sideBySide }, drain))
