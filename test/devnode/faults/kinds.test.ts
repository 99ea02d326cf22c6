import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FAULT_KINDS } from '../../../src/devnode/faults/kinds.js'

const MANUAL = readFileSync(new URL('../../../docs/devnode.md', import.meta.url), 'utf8')

describe('a kind of fault', () => {
  it.each(Object.entries(FAULT_KINDS))('stands in the manual with all that can be set of it: %s', (name, kind) => {
    const row = MANUAL.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? ''
    for (const setting of Object.keys(kind.settings)) expect(row).toContain(setting)
    expect(row.split('|').at(-2)?.trim()).not.toBe('')
    expect(kind.about).toMatch(/^[A-Z].*\.$/)
  })
})
