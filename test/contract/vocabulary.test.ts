import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkedFiles, vocabularyFindings } from '../../scripts/vocabulary.mjs'

const ROOT = resolve(import.meta.dirname, '../..')

describe('the vocabulary check', () => {
  it('finds no word of the glossary’s right column in identifiers, comments, test titles and docs', () => {
    const findings = checkedFiles().flatMap((path) =>
      vocabularyFindings(path, readFileSync(resolve(ROOT, path), 'utf8')).map(
        ({ line, word, text, use }) => `${path}:${line} "${word}" in ${text}: use ${use}`,
      ),
    )
    expect(findings).toEqual([])
  })

  it('reports parts of identifiers, comments and prose strings', () => {
    const words = (text: string): string[] => vocabularyFindings('src/x.ts', text).map(({ word }) => word.toLowerCase())
    expect(words('const listCoins = 1')).toEqual(['coins'])
    expect(words('// the node tells whoever listens')).toEqual(['tells', 'whoever'])
    expect(words("it('is told of a coin', run)")).toEqual(['coin', 'told'])
    expect(words('const hint = `Nothing was ${heard} of it`')).toEqual(['heard'])
    expect(words('export const state = { gone: true }')).toEqual(['gone'])
  })

  it('accepts names that the interface or the platform fixes', () => {
    const text = "getCoinSupply(); addEventListener('open', run); Math.floor(1); rest.request(); // the REST client"
    expect(vocabularyFindings('src/x.ts', text)).toEqual([])
  })
})
