/**
 * `node scripts/build-assets.mjs`: makes what of dist is no module. dist/style.css, the look of the components, of its
 * parts; and dist/fake-wallets.js, a script without imports, which puts the fakes of browser wallets into any page.
 */
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '..')
const OUT = join(ROOT, 'dist')
const STYLE = join(ROOT, 'src/adapters/vue/components/style')

/** The fakes as one script: `window.fakeWallets` once it has run. */
export async function bundleFakeWallets() {
  const { output } = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      rolldownOptions: { input: join(ROOT, 'src/testing/wallets/script.ts'), output: { format: 'iife' } },
    },
  })
  return output[0].code
}

/** The parts of the style in the order of their names. */
const joinStyle = () =>
  readdirSync(STYLE)
    .sort()
    .map((file) => readFileSync(join(STYLE, file), 'utf8'))
    .join('\n')

/** Whole or not at all: tests and servers may be reading the old file right now. */
function write(file, content) {
  const unfinished = join(OUT, `.${file}.${process.pid}`)
  writeFileSync(unfinished, content)
  renameSync(unfinished, join(OUT, file))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(OUT, { recursive: true })
  write('style.css', joinStyle())
  write('fake-wallets.js', await bundleFakeWallets())
}
