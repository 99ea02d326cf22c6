/**
 * `npm run size`: what an app carries of us, as a table per export: minified, and min + gzip, in kB of 1,000 bytes.
 * Outside are vue, rxjs and #sdk; every other dependency is counted, and so is what loads later (dynamic imports).
 * Fails where a guard is exceeded, a bare import is not empty, or devnode, testing or WASM have got in.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundle, intrudersOf, measure } from './size/bundle.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const FILES = {
  'vue-chain': 'src/index.ts',
  'vue-chain/streams': 'src/streams/index.ts',
  'vue-chain/devnode': 'src/devnode/index.ts',
  'vue-chain/testing': 'src/testing/index.ts',
}
/** The entries that apps import. The others are for Node and for tests; a bare import of them must be empty too. */
const FOR_APPS = ['vue-chain', 'vue-chain/streams']

/** What may be at most so large, in bytes of min + gzip. Without names: the whole entry. */
const GUARDS = [
  { what: 'useChainRest alone', entry: 'vue-chain', names: ['useChainRest'], limit: 12_000 },
  { what: 'plugin + useRpc', entry: 'vue-chain', names: ['VueChain', 'useRpc'], limit: 14_000 },
  { what: 'all of vue-chain', entry: 'vue-chain', limit: 40_000 },
  { what: 'all of vue-chain/streams', entry: 'vue-chain/streams', limit: 32_000 },
]

const failures = []
const fileOf = (entry) => resolve(ROOT, FILES[entry])
const show = (bytes) => (bytes / 1000).toFixed(1)

/** A re-export of some names of an entry, or of all, as code. */
const take = (entry, names) =>
  `export ${names === undefined ? '*' : `{ ${names.join(', ')} }`} from ${JSON.stringify(fileOf(entry))}`

/** The values that an entry exports; none where it does not exist yet. */
async function exportsOf(entry) {
  if (!existsSync(fileOf(entry))) return []
  const output = await bundle(take(entry))
  return output.find(({ isEntry }) => isEntry).exports
}

async function printRow(what, entry, names, limit) {
  const output = await bundle(take(entry, names))
  const { min, gzip, atOnce } = measure(output)
  const exceeded = limit !== undefined && gzip > limit
  if (exceeded) failures.push(`${what}: ${show(gzip)} kB, allowed are ${show(limit)}`)
  for (const id of intrudersOf(output)) failures.push(`${what} carries ${id}`)
  const guard = limit === undefined ? '' : `≤ ${show(limit)} ${exceeded ? 'exceeded' : 'met'}`
  console.log(`| ${what} | ${show(min)} | ${show(gzip)} | ${show(atOnce)} | ${guard} |`)
}

async function printBareImport(entry) {
  const output = await bundle(`import ${JSON.stringify(fileOf(entry))}`)
  const left = output.map(({ code = '' }) => code.trim()).join('')
  if (left !== '') failures.push(`A bare import of ${entry} leaves ${left.length} bytes: ${left.slice(0, 200)}`)
  console.log(`| bare import of ${entry} | ${show(left.length)} | | | 0 ${left === '' ? 'met' : 'exceeded'} |`)
}

console.log('| export | min, kB | min + gzip, kB | of which at once | guard |\n| --- | --- | --- | --- | --- |')
const exported = Object.fromEntries(await Promise.all(FOR_APPS.map(async (entry) => [entry, await exportsOf(entry)])))
for (const { what, entry, names, limit } of GUARDS) {
  const isThere = exported[entry].length > 0 && (names ?? []).every((name) => exported[entry].includes(name))
  if (isThere) await printRow(what, entry, names, limit)
  else console.log(`| ${what} | | | | skipped, not there yet |`)
}
for (const entry of FOR_APPS) {
  for (const name of exported[entry]) await printRow(`\`${name}\` of ${entry}`, entry, [name])
}
for (const entry of Object.keys(FILES).filter((name) => existsSync(fileOf(name)))) await printBareImport(entry)

for (const failure of failures) console.error(failure)
process.exitCode = failures.length === 0 ? 0 : 1
