import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { forbiddenImport, forbiddenPackage, roomOf } from '../../scripts/floors.mjs'

const SRC = resolve(import.meta.dirname, '../../src')
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))

/** Every import of a file, relative ones as paths below src/. */
function importsOf(path: string): { name: string; target: string | undefined }[] {
  const text = readFileSync(join(SRC, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  return Array.from(text.matchAll(IMPORT), ([, name = '']) => ({
    name,
    target: name.startsWith('.')
      ? relative(SRC, resolve(dirname(join(SRC, path)), name)).replace(/\.js$/, '.ts')
      : undefined,
  }))
}

describe('the house', () => {
  it('has a room for every file, or the file is a door', () => {
    const homeless = files.filter((path) => !/(^|\/)index\.ts$/.test(path) && roomOf(path) === undefined)
    expect(homeless).toEqual([])
  })

  it('lets imports run downhill only', () => {
    const uphill = files.flatMap((path) =>
      importsOf(path).flatMap(({ name, target }) => {
        const reason = target === undefined ? forbiddenPackage(path, name) : forbiddenImport(path, target)
        return reason === undefined ? [] : [`${path}: ${reason}`]
      }),
    )
    expect(uphill).toEqual([])
  })

  it('refuses what the plan forbids', () => {
    expect(forbiddenImport('model/utxo.ts', 'streams/connection.ts')).toMatch(/downhill/)
    expect(forbiddenImport('streams/utxos.ts', 'operations/queries.ts')).toMatch(/downhill/)
    expect(forbiddenImport('devnode/ledger/dag.ts', 'streams/connection.ts')).toMatch(/outbuilding/)
    expect(forbiddenImport('engine/core.ts', 'streams/index.ts')).toMatch(/door/)
    expect(forbiddenPackage('streams/utxos.ts', 'vue')).toMatch(/adapters/)
    expect(forbiddenPackage('model/hashing.ts', 'node:crypto')).toMatch(/devnode/)
  })

  it('lets what the plan allows', () => {
    expect(forbiddenImport('devnode/server/wrpc.ts', 'wrpc/codec.ts')).toBeUndefined()
    expect(forbiddenImport('adapters/vue/useRpc.ts', 'engine/core.ts')).toBeUndefined()
    expect(forbiddenImport('sdk/wasm/load.ts', 'sdk/port.ts')).toBeUndefined()
    expect(forbiddenPackage('adapters/vue/useRpc.ts', 'vue')).toBeUndefined()
  })
})
