import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The names in docs/functions.md, whose docstrings the build of the site adds. */
const names = [...read('docs/functions.md').matchAll(/^- \[([\w.$]+)\]/gm)].map(([, name = '']) => name)

/** The members of an interface in a source. */
function membersOf(source: string, name: string): string[] {
  const [, body = ''] = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(source) ?? []
  return [...body.matchAll(/^ {2}(?:readonly )?([\w$]+)[(:<]/gm)].map(([, member = '']) => member)
}

it('lists every composable once', () => {
  const composables = readdirSync(join(ROOT, 'docs/composables')).map((file) => file.replace('.md', ''))
  expect(composables.length).toBeGreaterThan(20)
  expect(names.filter((name) => name.startsWith('use')).sort()).toEqual(composables.sort())
})

it('lists every member of the engine once', () => {
  const members = membersOf(read('src/engine/engine.ts'), 'ChainEngine')
  expect(members).toContain('balances$')
  const listed = names.filter((name) => name.startsWith('engine.')).map((name) => name.replace('engine.', ''))
  expect(listed.sort()).toEqual([...new Set(members)].sort())
})

it('lists functions that are exported', () => {
  const surface = read('test/contract/api/vue-chain.api.txt') + read('test/contract/api/streams.api.txt')
  const missing = names.filter((name) => !/^(use|engine\.)/.test(name) && !surface.includes(`// ${name}\n`))
  expect(missing).toEqual([])
})
