/**
 * `npm run test:chaos [-- --faults N] [--seed S]`: runs our client over real sockets through N faults (1000) of ten
 * seeds with payments, mining and reorgs, then compares its state with the devnode's expected state. `--seed` runs one
 * seed. Prints one summary line; exits with 1 and the command that repeats the seed where anything was lost, doubled or
 * hung.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { withBundle } from './bundle.mjs'

const SEEDS = 10
/** Seeds that run in parallel: each spends most of its time waiting for recovery. */
const CONCURRENCY = 5

const COUNTERS = ['triggered', 'connections', 'blocks', 'accepted', 'reverted', 'payments', 'gaps']

const { values } = parseArgs({ options: { faults: { type: 'string' }, seed: { type: 'string' } } })
const runs = planRuns(toCount('faults', values.faults), toCount('seed', values.seed))

/** The seeds to run, with the number of faults of each. */
function planRuns(faults = 1_000, seed) {
  if (seed !== undefined) return [{ seed, faults }]
  return Array.from({ length: SEEDS }, (_, at) => ({ seed: at + 1, faults: Math.ceil(faults / SEEDS) }))
}

function toCount(option, text) {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text)
  console.error(`--${option} is a whole number, not "${text}".`)
  process.exit(2)
}

/** Takes runs from a shared queue until it is empty; adds their reports. */
async function drain(library, queue, reports) {
  for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
    const report = await runSeed(library, run)
    reports.push(report)
    printFailure(run, report)
  }
}

/** Runs one seed in a worker; a worker that crashes counts as hung. */
async function runSeed(library, run) {
  const worker = new Worker(new URL('chaos-worker.mjs', import.meta.url), { workerData: { library, run } })
  try {
    const [report] = await once(worker, 'message') // rejects if the worker crashes
    return report
  } catch (error) {
    return { faults: 0, lost: [], doubled: [], hung: [`the run itself: ${error?.stack ?? error}`], counts: {} }
  } finally {
    await worker.terminate()
  }
}

function printFailure({ seed, faults }, { lost, doubled, hung }) {
  const wrong = [...label('lost', lost), ...label('doubled', doubled), ...label('hung', hung)]
  if (wrong.length === 0) return
  console.log(
    [`Seed ${seed} failed. Repeat it with: npm run test:chaos -- --seed ${seed} --faults ${faults}`, ...wrong].join(
      '\n  ',
    ),
  )
}

const label = (word, items) => items.map((item) => `${word}: ${item}`)

await withBundle({ chaos: 'test/chaos/chaos.ts' }, async (folder) => {
  const [queue, reports] = [[...runs], []]
  await Promise.all(Array.from({ length: CONCURRENCY }, () => drain(join(folder, 'chaos.js'), queue, reports)))
  const sum = (count) => reports.reduce((total, report) => total + count(report), 0)
  console.log(COUNTERS.map((what) => `${sum(({ counts }) => counts[what] ?? 0)} ${what}`).join(', '))
  const [lost, doubled, hung] = ['lost', 'doubled', 'hung'].map((word) => sum((report) => report[word].length))
  console.log(`${sum(({ faults }) => faults)} faults, ${lost} lost, ${doubled} doubled, ${hung} hung`)
  process.exitCode = lost + doubled + hung === 0 ? 0 : 1
})
