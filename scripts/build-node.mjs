/**
 * `node scripts/build-node.mjs`: writes dist/node, the package's entries as Node loads them, by the condition `node`.
 * What an entry loads at once is in a few files instead of one for each module, because each file that Node opens takes
 * 0.3 ms. All entries are in one build, so that they share their classes.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { nodeLayout } from './dist-layout.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The entries with the condition `node`, in dist/node, and the worker beside its chunk. */
const names = [...Object.values(manifest.exports), ...Object.values(manifest.imports)]
  .flatMap(filesForNode)
  .map((file) => /^\.\/dist\/node\/(.+)\.js$/.exec(file)?.[1])
const isForNode = ([name]) => names.includes(name) || name.startsWith('chunks/')

function filesForNode(target) {
  if (typeof target === 'string') return target.startsWith('./dist/node/') ? [target] : []
  return Object.values(target).flatMap(filesForNode)
}

await build({
  root: ROOT,
  plugins: [
    {
      name: 'entries-for-node',
      config: ({ build: { lib, rolldownOptions } }) => {
        lib.entry = Object.fromEntries(Object.entries(lib.entry).filter(isForNode))
        rolldownOptions.output = nodeLayout(join(ROOT, 'src'))
      },
    },
  ],
  build: { outDir: 'dist/node' },
})
