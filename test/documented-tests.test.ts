// @vitest-environment happy-dom
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Runs the tests that docs/test-a-component.md shows, word for word, on the sources. */
const ROOT = resolve(import.meta.dirname, '..')
/** Inside the project, so that the examples resolve its packages. */
const OUTPUT = join(ROOT, '.cache/documented-tests')
const ENTRIES: Readonly<Record<string, string>> = {
  'vue-chain': 'src/index.ts',
  'vue-chain/devnode/memory': 'src/devnode/memory/index.ts',
  'vue-chain/testing': 'src/testing/index.ts',
  'vue-chain/testing/vue': 'src/adapters/vue/testing/index.ts',
}

const sourceOf = (entry: string): string => {
  const source = ENTRIES[entry]
  if (source === undefined) throw new Error(`Add "${entry}" to ENTRIES`)
  return join(ROOT, source)
}

const page = readFileSync(join(ROOT, 'docs/test-a-component.md'), 'utf8')
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
if (examples.length < 2) throw new Error('The page has no examples')

rmSync(OUTPUT, { recursive: true, force: true })
mkdirSync(OUTPUT, { recursive: true })
for (const [at, code] of examples.entries()) {
  const file = join(OUTPUT, `example-${at + 1}.ts`)
  writeFileSync(
    file,
    code.replace(/from '(vue-chain[^']*)'/g, (_, entry: string) => `from '${sourceOf(entry)}'`),
  )
  await import(/* @vite-ignore */ file) // it calls describe()
}
