/**
 * `node scripts/cosign-differential.mjs [--cases N] [--seed S]`: compares reader and writer of `PSKB` texts
 * (src/model/pskb) with the crate kaspa-wallet-pskt 2.1.0 on N random bundles (10000) and as many mutated ones: texts,
 * ids, and what is refused. Builds the program of test/cosigning/crate on its first run, which takes minutes and needs
 * cargo. Exits with 1 where there is a difference.
 */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { withBundle } from './bundle.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const TARGET = join(ROOT, '.cache', 'cosigner')
const MANIFEST = join(ROOT, 'test/cosigning/crate/Cargo.toml')
const SHOWN = 5

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})

execFileSync('cargo', ['build', '--manifest-path', MANIFEST, '--target-dir', TARGET], { stdio: 'inherit' })
await withBundle({ differential: 'test/cosigning/crate-differential.ts' }, async (folder) => {
  const { compareWithCrate } = await import(pathToFileURL(join(folder, 'differential.js')).href)
  const binary = join(TARGET, 'debug', 'cosigner')
  const comparison = await compareWithCrate(binary, Number(values.cases), Number(values.seed))
  const { same, mutated, differences } = comparison
  for (const difference of differences.slice(0, SHOWN)) console.log(difference)
  console.log(
    `${same} bundles equal; mutated: ${mutated.both} equal, ${mutated.refused} refused by both, ${mutated.onlyWeRefuse} by this library alone; ${differences.length} differences`,
  )
  process.exitCode = differences.length === 0 ? 0 : 1
})
