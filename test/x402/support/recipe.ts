import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')
const OUTPUT = join(ROOT, '.cache/recipes')

/** The storage of an agent, as docs/recipes/paid-api.md prints it. */
interface RecipeStorage {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
}

let count = 0

/** The storage of the recipe on `file`, by default a new one in `folder`. */
export async function importStorage(file?: string): Promise<{ storage: RecipeStorage; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-recipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const page = readFileSync(join(ROOT, 'docs/recipes/paid-api.md'), 'utf8')
  const [code] = /^const FILE = [\s\S]*?^}$/m.exec(page) ?? []
  if (code === undefined) throw new Error('The recipe has no storage')
  const [imports] = /^import .* from 'node:fs\/promises'$/m.exec(page) ?? []
  mkdirSync(OUTPUT, { recursive: true })
  const module = join(OUTPUT, `attempts-${++count}.ts`)
  const name = JSON.stringify(file ?? join(folder, 'attempts.json'))
  const named = code
    .replace(/^const FILE = .*$/m, `const FILE = ${name}`)
    .replace('const storage', 'export const storage')
  writeFileSync(module, `${imports ?? ''}\n${named}\n`)
  const { storage } = (await import(/* @vite-ignore */ module)) as { readonly storage: RecipeStorage }
  return { storage, folder }
}
