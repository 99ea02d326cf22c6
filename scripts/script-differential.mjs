/**
 * `node scripts/script-differential.mjs [--cases N] [--seed S]`: compares the script machine (src/script) with the
 * engine of the node, crate kaspa-txscript 2.1.0, on N random spends (100100): verdict, text and units. Spends that
 * reach `a6` or `d4` are left out. Builds the engine of test/script/engine on its first run, which takes minutes and
 * needs cargo. Exits with 1 where there is a difference.
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
  options: { cases: { type: 'string', default: '100100' }, seed: { type: 'string', default: '1' } },
})

function buildEngine() {
  execFileSync('cargo', ['build', '--manifest-path', MANIFEST, '--target-dir', TARGET], { stdio: 'inherit' })
  return join(TARGET, 'debug', 'script-engine')
}

function print({ cases, leftOut, accepted, differences, kinds, successes, failures }, opcodes) {
  for (const { seed, line, ours, theirs } of differences.slice(0, SHOWN))
    console.log([`seed ${seed}`, JSON.stringify({ ours, theirs }), line].join('\n  '))
  for (const [name, counts] of Object.entries({ successes, failures })) {
    const few = opcodes.filter((opcode) => (counts.get(opcode) ?? 0) < GOALS[name])
    console.log(`${few.length} opcodes with less than ${GOALS[name]} ${name}: ${few.map(describe(counts)).join(' ')}`)
  }
  console.log(
    `${cases} cases, ${accepted} accepted, ${kinds.size - 1} kinds of texts, ${leftOut} left out, ${differences.length} differences`,
  )
}

const describe = (counts) => (opcode) => `${opcode.toString(16)}:${counts.get(opcode) ?? 0}`

const engine = buildEngine()
await withBundle({ compare: 'test/script/differential/compare.ts' }, async (folder) => {
  const { compareWithEngine, USED_OPCODES } = await import(pathToFileURL(join(folder, 'compare.js')).href)
  const comparison = await compareWithEngine(engine, Number(values.cases), Number(values.seed))
  print(comparison, USED_OPCODES)
  process.exitCode = comparison.differences.length === 0 ? 0 : 1
})
