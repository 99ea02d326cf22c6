import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../../..')
const OUTPUT = join(ROOT, '.cache/recipes')
const ENTRIES: Readonly<Record<string, string>> = {
  'vue-chain/feed': 'src/feed/index.ts',
  'vue-chain/feed/webhook': 'src/feed/webhook/index.ts',
  'vue-chain/light': 'src/light/index.ts',
  'vue-chain/payouts': 'src/payouts/index.ts',
}

/** The module of the code of a recipe that exports a name, word for word, on the sources. */
export async function importRecipe<T>(page: string, name: string): Promise<T> {
  const text = readFileSync(join(ROOT, 'docs/recipes', page), 'utf8')
  const code = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  const found = code.find((block) => new RegExp(`export .*\\b${name}\\b`).test(block))
  if (found === undefined) throw new Error(`${page} has no code that exports ${name}`)
  mkdirSync(OUTPUT, { recursive: true })
  const file = join(OUTPUT, `${name}.ts`)
  const onSources = found.replace(/from '(vue-chain[^']*)'/g, (_, entry: string) => `from '${sourceOf(entry)}'`)
  writeFileSync(file, onSources)
  return (await import(/* @vite-ignore */ file)) as T
}

/** The statements of the SQL of a recipe. */
export function statementsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/recipes', page), 'utf8')
  const [, code = ''] = /^```sql\n([\s\S]*?)^```/m.exec(text) ?? []
  return code.split(';').map((statement) => statement.trim())
}

function sourceOf(entry: string): string {
  const source = ENTRIES[entry]
  if (source === undefined) throw new Error(`Add "${entry}" to ENTRIES`)
  return join(ROOT, source)
}
