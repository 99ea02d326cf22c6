/**
 * `npm run test:chaos [-- --faults N] [--seed S]`: runs our client over real sockets through N faults (1000) of ten
 * seeds with payments, mining and reorgs, then compares its state with the devnode's expected state. There are fewer
 * seeds where each would have less than 30 faults. `--seed` runs one seed. Prints one summary line; exits with 1 and
 * the command that repeats the seed where anything was lost, doubled or hung.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { withBundle } from './bundle.mjs'

const SEEDS = 10
/** Faults of a seed, at least: to start a network and a client takes as long as to play 30 faults. */
const FEWEST_FAULTS = 30
/**
 * Threads, and seeds that each plays at a time: a seed spends most of its time waiting for recovery. A thread of its
 * own for each seed would compile the SDK and all code once more: 3 s of processor time.
 */
const [THREADS, SIDE_BY_SIDE] = [2, 3]

const COUNTERS = ['triggered', 'connections', 'blocks', 'accepted', 'reverted', 'payments', 'gaps']

const { values } = parseArgs({ options: { faults: { type: 'string' }, seed: { type: 'string' } } })
const runs = planRuns(toCount('faults', values.faults), toCount('seed', values.seed))

/** The seeds to run, with the number of faults of each. */
function planRuns(faults = 1_000, seed) {
  if (seed !== undefined) return [{ seed, faults }]
  const seeds = Math.min(SEEDS, Math.max(1, Math.floor(faults / FEWEST_FAULTS)))
  return Array.from({ length: seeds }, (_, at) => ({ seed: at + 1, faults: Math.ceil(faults / seeds) }))
}

function toCount(option, text) {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text)
  console.error(`--${option} is a whole number, not "${text}".`)
  process.exit(2)
}

/** Plays the runs in a thread; resolves to a report for each. */
async function playIn(library, share) {
  const workerData = { library, runs: share, sideBySide: SIDE_BY_SIDE }
  const worker = new Worker(new URL('chaos-worker.mjs', import.meta.url), { workerData })
  const reports = new Map()
  worker.on('message', ({ run, report }) => {
    reports.set(run.seed, report)
    printFailure(run, report)
    if (reports.size === share.length) void worker.terminate() // whatever a seed has left
  })
  const crash = await once(worker, 'exit').then(
    ([code]) => `exit code ${code}`,
    (error) => error?.stack ?? error,
  )
  return share.map((run) => reports.get(run.seed) ?? reportCrash(run, crash))
}

/** A run without a report, because its thread crashed, counts as hung. */
function reportCrash(run, crash) {
  const report = { faults: 0, lost: [], doubled: [], hung: [`the run itself: ${crash}`], counts: {} }
  printFailure(run, report)
  return report
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
  const each = Math.ceil(runs.length / THREADS)
  const shares = Array.from({ length: THREADS }, (_, at) => runs.slice(at * each, (at + 1) * each))
  const played = shares.filter((share) => share.length > 0).map((share) => playIn(join(folder, 'chaos.js'), share))
  const reports = (await Promise.all(played)).flat()
  const sum = (count) => reports.reduce((total, report) => total + count(report), 0)
  console.log(COUNTERS.map((what) => `${sum(({ counts }) => counts[what] ?? 0)} ${what}`).join(', '))
  const [lost, doubled, hung] = ['lost', 'doubled', 'hung'].map((word) => sum((report) => report[word].length))
  console.log(`${sum(({ faults }) => faults)} faults, ${lost} lost, ${doubled} doubled, ${hung} hung`)
  process.exitCode = lost + doubled + hung === 0 ? 0 : 1
})
