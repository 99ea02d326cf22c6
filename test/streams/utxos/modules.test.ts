import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../../src/streams/utxos')

/** The modules of which each module may import, besides its own files. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  store: [],
  unconfirmed: ['store'],
  sync: ['store', 'unconfirmed'],
  view: ['store', 'unconfirmed', 'sync'],
}
const MODULES = Object.keys(IMPORTS)

const filesOf = (module: string): string[] => readdirSync(join(ROOT, module)).filter((file) => file.endsWith('.ts'))
const textOf = (module: string, file: string): string => readFileSync(join(ROOT, module, file), 'utf8')

/** The imports of a module from the others, as `store/entry-set.ts`. */
const importsOf = (module: string): string[] =>
  filesOf(module).flatMap((file) =>
    Array.from(textOf(module, file).matchAll(/from '\.\.\/([a-z]+\/[a-z-]+)\.js'/g), ([, path]) => `${path}.ts`).filter(
      (path) => MODULES.includes(path.split('/')[0]!),
    ),
  )

interface Rule {
  readonly rule: string
  readonly file: string
  readonly names: readonly string[]
}

/** The rows of a module's table of rules. */
const rulesOf = (module: string): Rule[] =>
  Array.from(
    textOf(module, 'README.md').matchAll(/^\| ([^|]+) \| ((?:\.\.\/)?[a-z-]+\.ts) \| ([^|]+) \|$/gm),
    ([, rule = '', file = '', names = '']) => ({ rule, file, names: names.split(', ') }),
  )

describe.each(MODULES)('the module %s of the UTXO tracker', (module) => {
  it('imports only the modules below it, and of the store only its entry', () => {
    const paths = importsOf(module)
    expect(paths.filter((path) => !IMPORTS[module]!.includes(path.split('/')[0]!))).toEqual([])
    expect(paths.filter((path) => path.startsWith('store/') && path !== 'store/store.ts')).toEqual([])
  })

  it('names files and declarations that exist in its table of rules', () => {
    const rules = rulesOf(module)
    expect(rules.length).toBeGreaterThan(9)
    const missing = rules.flatMap(({ rule, file, names }) => {
      if (!existsSync(join(ROOT, module, file))) return [`${rule}: ${file}`]
      const text = textOf(module, file)
      return names.filter((name) => !declares(text, name)).map((name) => `${rule}: ${file} has no ${name}`)
    })
    expect(missing).toEqual([])
  })
})

/** Whether a file declares or imports a name, or has a method of it. */
const declares = (text: string, name: string): boolean =>
  new RegExp(
    `\\b(?:function\\*?|const|class|interface|type|get) ${escaped(name)}(?![\\w$])|^ +(?:readonly )?\\*?${escaped(name)}[(:]|import \\{[^}]*\\b${escaped(name)}(?![\\w$])`,
    'm',
  ).test(text)

const escaped = (name: string): string => name.replaceAll('$', '\\$')

it('reads what a view is nowhere by its class', () => {
  const tested = MODULES.flatMap((module) =>
    filesOf(module).filter((file) => textOf(module, file).includes('instanceof EntryView')),
  )
  expect(tested).toEqual([])
})
