/**
 * `node scripts/script-differential.mjs [--cases N] [--seed S]`: compares the script machine (src/script) with the
 * engine of the node, crate kaspa-txscript 2.1.0, on N random spends (100100): verdict, text and units. Spends that
 * reach `a6` or `d4` are left out. Builds the engine of test/script/engine on its first run, which takes minutes and
 * needs cargo. With `--judge kaspad` the node itself judges (5400 spends): it accepts or refuses transactions, and
 * refuses a compute budget that is one too low. `KASPAD` is the path of kaspad 2.1.0. Exits with 1 where there is a
 * difference.
 */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { withBundle } from './bundle.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const TARGET = join(ROOT, '.cache', 'script-engine')
const MANIFEST = join(ROOT, 'test/script/engine/Cargo.toml')
const SHOWN = 5
/** What the run should reach for each opcode. */
const GOALS = { successes: 200, failures: 50 }

const { values } = parseArgs({
  options: {
    cases: { type: 'string' },
    judge: { type: 'string', default: 'engine' },
    seed: { type: 'string', default: '1' },
  },
})

function buildEngine() {
  execFileSync('cargo', ['build', '--manifest-path', MANIFEST, '--target-dir', TARGET], { stdio: 'inherit' })
  return join(TARGET, 'debug', 'script-engine')
}

function print({ cases, leftOut, accepted, edges, differences, kinds, successes, failures }, { USED_OPCODES, toLine }) {
  for (const { seed, case: found, ours, theirs } of differences.slice(0, SHOWN))
    console.log([`seed ${seed}`, JSON.stringify({ ours, theirs }), toLine(found)].join('\n  '))
  for (const [name, counts] of Object.entries({ successes, failures })) {
    const few = USED_OPCODES.filter((opcode) => (counts.get(opcode) ?? 0) < GOALS[name])
    console.log(`${few.length} opcodes with less than ${GOALS[name]} ${name}: ${few.map(describe(counts)).join(' ')}`)
  }
  console.log(
    `${cases} cases, ${accepted} accepted, ${kinds.size - 1} kinds of texts, ${leftOut} left out, ${edges} budgets one too low, ${differences.length} differences`,
  )
}

const describe = (counts) => (opcode) => `${opcode.toString(16)}:${counts.get(opcode) ?? 0}`

/** The judges, with the number of cases that a run has by default. */
const JUDGES = {
  engine: { cases: 100_100, run: ({ compareWithEngine }, ...range) => compareWithEngine(buildEngine(), ...range) },
  kaspad: { cases: 5_400, run: ({ compareWithKaspad }, ...range) => compareWithKaspad(...range) },
}

const judge = JUDGES[values.judge]
if (judge === undefined) throw new Error(`There is no judge "${values.judge}": ${Object.keys(JUDGES).join(', ')}`)
await withBundle({ differential: 'test/script/differential/index.ts' }, async (folder) => {
  const differential = await import(pathToFileURL(join(folder, 'differential.js')).href)
  const comparison = await judge.run(differential, Number(values.cases ?? judge.cases), Number(values.seed))
  print(comparison, differential)
  process.exitCode = comparison.differences.length === 0 ? 0 : 1
})
