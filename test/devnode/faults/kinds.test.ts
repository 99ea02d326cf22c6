import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FAULT_KINDS } from '../../../src/devnode/faults/kinds.js'

const MANUAL = readFileSync(new URL('../../../docs/devnode.md', import.meta.url), 'utf8')

describe('kinds of faults', () => {
  it.each(Object.entries(FAULT_KINDS))('are documented with all settings: %s', (name, kind) => {
    const row = MANUAL.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? ''
    for (const setting of Object.keys(kind.settings)) expect(row).toContain(setting)
    expect(row.split('|').at(-2)?.trim()).not.toBe('')
    expect(kind.about).toMatch(/^[A-Z].*\.$/)
  })
})
