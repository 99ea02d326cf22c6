/**
 * `npm run release:version`: raises the version as the files of .changeset say, writes their texts into CHANGELOG.md,
 * and gives create-vue-chain, both lockfiles and what the examples install the same version. The workflow `publish`
 * proposes the result as a pull request.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const CHANGESETS = '@changesets/cli@2.29.7'

const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const write = (path, json) => writeFileSync(join(ROOT, path), `${JSON.stringify(json, null, 2)}\n`)

execFileSync('npx', ['--yes', CHANGESETS, 'version'], {
  cwd: ROOT,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
const { version } = read('package.json')
write('create/package.json', { ...read('create/package.json'), version })
writeFileSync(join(ROOT, 'CHANGELOG.md'), inOrder(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')))
for (const path of ['package-lock.json', 'create/package-lock.json']) {
  const lock = read(path)
  lock.version = version
  lock.packages[''].version = version
  write(path, lock)
}

for (const name of readdirSync(join(ROOT, 'examples'))) {
  const path = `examples/${name}/package.json`
  const manifest = read(path)
  manifest.dependencies['vue-chain'] = version
  write(path, manifest)
}

/**
 * The introduction, which changesets leaves below the new version, is above it again; entries without a version belong
 * to this one.
 */
function inOrder(text) {
  const [introduction = ''] = /^All notable changes.*\n\n/m.exec(text) ?? []
  return text
    .replace(introduction, '')
    .replace('# Changelog\n\n', `# Changelog\n\n${introduction}`)
    .replace('## Unreleased\n\n', '')
}
