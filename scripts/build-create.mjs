/**
 * `npm run build:create`: bundles create-vue-chain with its prompts into create/dist/main.js, so that `npm create
 * vue-chain` downloads one package. The licences of what is bundled go beside it. The prompts are a package of create/.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { installPackages } from './install-packages.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const CREATE = join(ROOT, 'create')

/** The folders of the packages that a bundle contains. */
const packagesOf = ({ inputs }) =>
  new Set(Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))

function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = ['LICENSE', 'LICENSE.md', 'license'].map((path) => join(folder, path)).find((path) => existsSync(path))
  if (file === undefined) throw new Error(`${name} has no licence file`)
  return `# ${name} ${version}\n\n${readFileSync(file, 'utf8').trim()}\n`
}

installPackages(CREATE)
rmSync(join(CREATE, 'dist'), { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: CREATE,
  entryPoints: ['src/main.mjs'],
  outfile: 'dist/main.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  metafile: true,
  logLevel: 'warning',
})
const licences = [...packagesOf(metafile)].sort().map((folder) => licenceOf(resolve(CREATE, folder)))
writeFileSync(join(CREATE, 'dist/LICENSES.md'), licences.join('\n'))
