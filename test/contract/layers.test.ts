import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MODULES, forbiddenImport, forbiddenPackage, moduleOf } from '../../scripts/layers.mjs'

const SRC = resolve(import.meta.dirname, '../../src')
const IMPORT = /(?:from|import)\s*(\(\s*)?'([^']+)'/g

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))

/** Every import of a file, relative ones as paths below src/. */
function importsOf(path: string): { name: string; target: string | undefined; isDynamic: boolean }[] {
  const text = readFileSync(join(SRC, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  return Array.from(text.matchAll(IMPORT), ([, bracket, name = '']) => ({
    name,
    isDynamic: bracket !== undefined,
    target: name.startsWith('.')
      ? relative(SRC, resolve(dirname(join(SRC, path)), name)).replace(/\.js$/, '.ts')
      : undefined,
  }))
}

/** The files that a file needs to be read: imports of values and of types, but not those at run time by `import()`. */
const needsOf = (path: string): string[] =>
  importsOf(path).flatMap(({ target, isDynamic }) => (target === undefined || isDynamic ? [] : [target]))

/** One path from each ring back to its first file; none where files can be read from the lowest up. */
function ringsOf(nodes: readonly string[], needs: (node: string) => readonly string[]): string[][] {
  const read = new Set<string>()
  const rings: string[][] = []
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) return void rings.push([...path.slice(path.indexOf(node)), node])
    if (read.has(node)) return
    for (const next of needs(node)) visit(next, [...path, node])
    read.add(node)
  }
  for (const node of nodes) visit(node, [])
  return rings
}

describe('import layers', () => {
  it('assign every file to a module, except entry points', () => {
    const unassigned = files.filter((path) => !/(^|\/)index\.ts$/.test(path) && moduleOf(path) === undefined)
    expect(unassigned).toEqual([])
  })

  it('name only modules that exist', () => {
    const missing = MODULES.filter((module) => !files.some((path) => path === module || path.startsWith(module)))
    expect(missing).toEqual([])
  })

  it('leave no files that need each other, through types either', () => {
    expect(ringsOf(files, needsOf).map((ring) => ring.join(' → '))).toEqual([])
  })

  it('find rings of two files, of more, and a file that needs itself', () => {
    const needs: Record<string, string[]> = {
      a: ['b', 'd'],
      b: ['c'],
      c: ['b'],
      d: ['d', 'e'],
      e: ['f'],
      f: ['d', 'a'],
    }
    const rings = ringsOf(Object.keys(needs), (node) => needs[node]!)
    expect(rings.map((ring) => ring.join(''))).toEqual(['bcb', 'dd', 'defd', 'adefa'])
    expect(ringsOf(['a', 'b', 'c'], (node) => ({ a: ['b', 'c'], b: ['c'] })[node] ?? [])).toEqual([])
  })

  it('allow imports of lower layers only', () => {
    const violations = files.flatMap((path) =>
      importsOf(path).flatMap(({ name, target }) => {
        const reason = target === undefined ? forbiddenPackage(path, name) : forbiddenImport(path, target)
        return reason === undefined ? [] : [`${path}: ${reason}`]
      }),
    )
    expect(violations).toEqual([])
  })

  it('reject imports of higher layers, neighbours and entry points', () => {
    expect(forbiddenImport('model/utxo.ts', 'streams/connection.ts')).toMatch(/lower layers/)
    expect(forbiddenImport('streams/utxos.ts', 'operations/queries.ts')).toMatch(/lower layers/)
    expect(forbiddenImport('devnode/ledger/dag.ts', 'streams/connection.ts')).toMatch(/must not import/)
    expect(forbiddenImport('engine/core.ts', 'streams/index.ts')).toMatch(/entry point/)
    expect(forbiddenPackage('streams/utxos.ts', 'vue')).toMatch(/adapters/)
    expect(forbiddenPackage('model/hashing.ts', 'node:crypto')).toMatch(/devnode/)
    expect(forbiddenPackage('adapters/vue/useRpc.ts', '@nuxt/kit')).toMatch(/adapters\/nuxt/)
    expect(forbiddenPackage('engine/core.ts', 'vue-chain')).toMatch(/adapters\/nuxt/)
  })

  it('accept imports of lower layers and of the shared codec', () => {
    expect(forbiddenImport('devnode/server/wrpc.ts', 'wrpc/codec.ts')).toBeUndefined()
    expect(forbiddenImport('adapters/vue/useRpc.ts', 'engine/core.ts')).toBeUndefined()
    expect(forbiddenImport('sdk/wasm/load.ts', 'sdk/port.ts')).toBeUndefined()
    expect(forbiddenPackage('adapters/vue/useRpc.ts', 'vue')).toBeUndefined()
  })
})

/** The files of CONTRIBUTING.md that hand a notification on, from the ref to the socket. */
const notificationPath = Array.from(
  readFileSync(resolve(SRC, '../CONTRIBUTING.md'), 'utf8').matchAll(/^\d+\. `src\/([^`]+)`/gm),
  ([, path = '']) => path,
)

describe('the path of a notification', () => {
  it('has at most 15 files, which exist', () => {
    expect(notificationPath.length).toBeGreaterThan(10)
    expect(notificationPath.length).toBeLessThanOrEqual(15)
    expect(notificationPath.filter((path) => !files.includes(path))).toEqual([])
  })

  it('runs upwards: each file imports only those below it, types included', () => {
    const upwards = notificationPath.flatMap((path, at) =>
      needsOf(path)
        .filter((target) => notificationPath.slice(0, at).includes(target))
        .map((target) => `${path} imports ${target}`),
    )
    expect(upwards).toEqual([])
  })
})
