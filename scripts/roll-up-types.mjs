/**
 * `node scripts/roll-up-types.mjs`: writes dist/types from the declarations that the compiler put into .cache/types:
 * one file for each entry point of package.json, and files of what several of them share, so that a type is the same in
 * all. With `--compile` it compiles them before, unchecked, and only those that the entries reach.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { compileTypes } from './compile-types.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const COMPILED = join(ROOT, '.cache/types')
const TARGET = join(ROOT, 'dist/types')

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The declarations of the entries, as paths below dist/types without an ending. */
const entries = Object.values(manifest.exports).flatMap(({ types }) =>
  types?.startsWith('./dist/types/') ? [relative(TARGET, join(ROOT, types)).replace(/\.d\.ts$/, '')] : [],
)

if (process.argv.includes('--compile')) compileTypes(entries)

/**
 * The plugin without its last step, by which entries import shared types from each other: services would need the types
 * of Vue.
 */
const rollUp = () => ({ ...dts({ tsconfig: join(ROOT, 'tsconfig.build.json') }), generateBundle: undefined })

const bundle = await rollup({
  input: Object.fromEntries(entries.map((entry) => [entry, join(COMPILED, `${entry}.d.ts`)])),
  external: (id) => !/^[./]/.test(id), // packages
  plugins: [rollUp()],
  onwarn({ message }) {
    throw new Error(message)
  },
})
rmSync(TARGET, { recursive: true, force: true })
await bundle.write({
  dir: TARGET,
  entryFileNames: '[name].d.ts',
  chunkFileNames: ({ name }) => `shared/${name.replace(/\.d$/, '')}.d.ts`,
  hoistTransitiveImports: false,
  minifyInternalExports: false,
  plugins: [
    { name: 'tabs', renderChunk: (code) => code.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4)) },
  ],
})
await bundle.close()
