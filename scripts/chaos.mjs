/**
 * `npm run test:chaos [-- --faults N] [--seed S]`: a client of ours on real sockets lives through N faults (1000), over ten
 * seeds, while the network goes on; then what it knows is compared with the truth. With a seed, that seed's faults alone.
 * Ends in one line, and with status 1 where anything was lost, doubled or hung: then it says how to play that seed again.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { withBundle } from './bundle.mjs'

const SEEDS = 10
/** Seeds that are played side by side: while one waits to be made whole, another suffers. */
const AT_ONCE = 5

const LIVED = ['struck', 'connections', 'blocks', 'accepted', 'reverted', 'payments', 'gaps']

const { values } = parseArgs({ options: { faults: { type: 'string' }, seed: { type: 'string' } } })
const runs = planRuns(toCount('faults', values.faults), toCount('seed', values.seed))

/** Which seeds are played, and how many faults of each. */
function planRuns(faults = 1_000, seed) {
  if (seed !== undefined) return [{ seed, faults }]
  return Array.from({ length: SEEDS }, (_, at) => ({ seed: at + 1, faults: Math.ceil(faults / SEEDS) }))
}

function toCount(option, text) {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text)
  console.error(`--${option} is a whole number, not "${text}".`)
  process.exit(2)
}

/** Plays one run after the other from a shared list; their reports. */
async function play(library, waiting, reports) {
  for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
    const report = await playOne(library, run)
    reports.push(report)
    tell(run, report)
  }
}

/** A run that dies has told nothing: that is what it is guilty of. */
async function playOne(library, run) {
  const worker = new Worker(new URL('chaos-worker.mjs', import.meta.url), { workerData: { library, run } })
  try {
    const [report] = await once(worker, 'message') // rejects where the thread dies first
    return report
  } catch (error) {
    return { faults: 0, lost: [], doubled: [], hung: [`the run itself: ${error?.stack ?? error}`], lived: {} }
  } finally {
    await worker.terminate()
  }
}

function tell({ seed, faults }, { lost, doubled, hung }) {
  const wrong = [...label('lost', lost), ...label('doubled', doubled), ...label('hung', hung)]
  if (wrong.length === 0) return
  console.log(
    [`Seed ${seed} failed. Again: npm run test:chaos -- --seed ${seed} --faults ${faults}`, ...wrong].join('\n  '),
  )
}

const label = (word, items) => items.map((item) => `${word}: ${item}`)

await withBundle({ chaos: 'test/chaos/chaos.ts' }, async (folder) => {
  const [waiting, reports] = [[...runs], []]
  await Promise.all(Array.from({ length: AT_ONCE }, () => play(join(folder, 'chaos.js'), waiting, reports)))
  const sum = (count) => reports.reduce((total, report) => total + count(report), 0)
  console.log(LIVED.map((what) => `${sum(({ lived }) => lived[what] ?? 0)} ${what}`).join(', '))
  const [lost, doubled, hung] = ['lost', 'doubled', 'hung'].map((word) => sum((report) => report[word].length))
  console.log(`${sum(({ faults }) => faults)} faults, ${lost} lost, ${doubled} doubled, ${hung} hung`)
  process.exitCode = lost + doubled + hung === 0 ? 0 : 1
})
