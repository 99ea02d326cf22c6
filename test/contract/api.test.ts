import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeSurface } from '../../scripts/api-surface.mjs'

const SOURCES = join(import.meta.dirname, '../../src')
const FOLDER = join(import.meta.dirname, 'api')

/** Lines of one text that the other does not have. */
const missing = (text: string, other: string): string[] => {
  const lines = new Set(other.split('\n'))
  return text.split('\n').filter((line) => !lines.has(line))
}

describe('the public surface', () => {
  const { files: surface, errors } = describeSurface()

  it('has a file for each entry point', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...surface.keys()].sort())
  })

  it.each([...surface.keys()])('is as %s says; after a change: npm run build && npm run api', (file) => {
    const [written, current] = [readFileSync(join(FOLDER, file), 'utf8'), surface.get(file) ?? '']
    expect({ removed: missing(written, current), added: missing(current, written) }).toEqual({ removed: [], added: [] })
    expect(current).toBe(written)
  })

  it('has declarations that compile where an app checks the types of libraries', () => {
    expect(errors).toEqual([])
  })

  it('names every type that it reaches', () => {
    const hidden = [...surface].map(([file, text]) => [file, /Reached and not exported.*/s.exec(text)?.[0]])
    expect(hidden.filter(([, names]) => names !== undefined)).toEqual([])
  })

  it('has at most 250 names for apps, beside the records of the indexer', () => {
    const names = (surface.get('vue-chain.api.txt') ?? '').match(/^\/\/ \w+/gm) ?? []
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => !name.startsWith('// ChainRest')).length).toBeLessThanOrEqual(250)
  })

  it('offers no value as a type only', () => {
    const sources = ['index.ts', 'engine/index.ts', 'streams/index.ts', 'rest/index.ts'].map((file) =>
      readFileSync(join(SOURCES, file), 'utf8'),
    )
    expect(sources.filter((source) => /^export type \*/m.test(source))).toEqual([])
  })
})
