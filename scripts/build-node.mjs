/**
 * `node scripts/build-node.mjs`: writes dist/node, the package's entries as Node loads them, by the condition `node`.
 * What an entry loads at once is in a few files instead of one for each module, because each file that Node opens takes
 * 0.3 ms. All entries are in one build, so that they share their classes.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { transformSync } from 'esbuild'
import { build } from 'vite'
import { nodeLayout } from './dist-layout.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The entries with the condition `node`, in dist/node, and the worker beside its chunk. */
const names = [...Object.values(manifest.exports), ...Object.values(manifest.imports)]
  .flatMap(filesForNode)
  .map((file) => /^\.\/dist\/node\/(.+)\.js$/.exec(file)?.[1])
const isForNode = ([name]) => names.includes(name) || name.startsWith('chunks/')

const withoutBlanks = (code) =>
  transformSync(code, { minifyWhitespace: true, lineLimit: 160, format: 'esm', target: 'es2022' }).code

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
    {
      // names stay those of the source, and lines short, because Node prints the one that throws
      name: 'without-indentation',
      enforce: 'post',
      generateBundle(_, files) {
        for (const file of Object.values(files)) if (file.type === 'chunk') file.code = withoutBlanks(file.code)
      },
    },
  ],
  build: { outDir: 'dist/node' },
})
