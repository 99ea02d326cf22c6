import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dependenciesOf } from '../../../src/adapters/nuxt/build-hints.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vue-chain-nuxt-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const install = (...folders: readonly string[]): void =>
  folders.forEach((folder) => mkdirSync(join(root, 'node_modules', folder), { recursive: true }))

it('has Vite bundle the library and rxjs before the first page', () => {
  expect(dependenciesOf(root, 'wasm')).toEqual(['vue-chain', 'vue-chain/streams', 'rxjs'])
  expect(dependenciesOf(root, 'light')).toContain('vue-chain/light')
})

it('has it bundle what Nuxt’s DevTools import, in a flat folder of packages', () => {
  install('nuxt', '@nuxt/devtools', '@vue/devtools-core', '@vue/devtools-kit')
  expect(dependenciesOf(root, undefined).slice(-2)).toEqual([
    'nuxt > @nuxt/devtools > @vue/devtools-core',
    'nuxt > @nuxt/devtools > @vue/devtools-kit',
  ])
})

it('has it bundle them where each package has its own', () => {
  install('nuxt/node_modules/@nuxt/devtools/node_modules/@vue/devtools-core')
  expect(dependenciesOf(root, undefined).slice(-1)).toEqual(['nuxt > @nuxt/devtools > @vue/devtools-core'])
})
