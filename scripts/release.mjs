/**
 * `npm run release`: publishes vue-chain and create-vue-chain with one version, after both were built, packed and tried
 * in an empty folder, and tags the commit. `-- --dry-run` does all but that, and prints what would be published.
 * `--no-build` takes what was built before, `--canary` a version of this commit, with the tag `canary` on the registry
 * and none in the repository. The tarballs and the bill of materials are in .cache/release.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { isPublic, REPOSITORY } from './release/repository.mjs'
import { npm, packPackage } from './release/pack.mjs'
import { publish } from './release/publish.mjs'
import { tryOut } from './release/try-out.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const OUT = join(ROOT, '.cache/release')

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    canary: { type: 'boolean', default: false },
    build: { type: 'boolean', default: true },
  },
  allowNegative: true,
})

const readVersion = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).version

/** Why nothing may be published; undefined where it may. */
function refusal(version) {
  const others = ['create/package.json', 'package-lock.json', 'create/package-lock.json']
  const other = others.find((path) => readVersion(path) !== version)
  if (other !== undefined)
    return `${other} has the version ${readVersion(other)}, package.json ${version}: run npm run release:version.`
  if (values['dry-run']) return undefined
  if (!isPublic) return 'Set REPOSITORY in scripts/release/repository.mjs.'
  const { GITHUB_REPOSITORY, GITHUB_SERVER_URL } = process.env
  if (GITHUB_REPOSITORY === undefined) return 'Publish by the workflow `publish`: provenance needs its identity.'
  if (`${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` !== REPOSITORY)
    return `REPOSITORY is ${REPOSITORY}, this is ${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}: npm refuses the provenance.`
  return undefined
}

function canaryVersion(version) {
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  return `${version}-canary.${commit}`
}

function run(args) {
  execFileSync('npm', ['run', '--silent', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}

const toMegabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

const version = readVersion('package.json')
const reason = refusal(version)
if (reason !== undefined) {
  console.error(reason)
  process.exit(1)
}
if (values.build) run(['build'])
run(['build:create'])
rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
const released = values.canary ? canaryVersion(version) : undefined
const packed = [undefined, 'create'].map((directory) =>
  packPackage({ root: ROOT, directory, version: released, out: OUT }),
)
writeFileSync(
  join(OUT, 'sbom.cdx.json'),
  npm(['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'], ROOT),
)
const seen = tryOut(packed)
const tag = values.canary ? 'canary' : version.includes('-') ? 'next' : 'latest'
for (const { name, version: numbered, unpackedSize, entryCount, size, sha512 } of packed) {
  console.log(`${name}@${numbered}, tag ${tag}, access public, with provenance`)
  console.log(`  ${toMegabytes(size)} packed, ${toMegabytes(unpackedSize)} unpacked, ${entryCount} files`)
  console.log(`  sha512 ${sha512.slice(0, 32)}…, repository ${REPOSITORY}`)
}
console.log(`In an empty folder: ${seen}.`)
if (values['dry-run']) console.log(`Dry run: nothing was published.${isPublic ? '' : ' REPOSITORY is a placeholder.'}`)
else publish({ packed, tag, root: ROOT, npm, print: console.log })
