import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const TEXT = readFileSync(resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')

/** The sections of a changelog by version: headings of parts, and entries. */
const versions = TEXT.split(/^## /m)
  .slice(1)
  .map((text) => ({
    name: text.split('\n', 1)[0]!,
    parts: text.match(/^### .*$/gm) ?? [],
    entries: text.match(/^- .*$/gm) ?? [],
  }))

const repeated = (lines: readonly string[]): string[] => lines.filter((line, at) => lines.indexOf(line) !== at)

describe('CHANGELOG.md', () => {
  it.each(versions)('has each part and each entry of $name once', ({ parts, entries }) => {
    expect(entries.length).toBeGreaterThan(0)
    expect(repeated(parts)).toEqual([])
    expect(repeated(entries)).toEqual([])
  })

  it('compares with no earlier version where none was published', () => {
    const entries = versions.length === 1 ? versions[0]!.entries : []
    expect(entries.filter((entry) => /until now|breaking:|to change:/i.test(entry))).toEqual([])
  })
})
