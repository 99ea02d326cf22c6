import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { convertGlue, convertTypings } from '../../scripts/sdk/convert.mjs'

const ROOT = resolve(import.meta.dirname, '../..')
const INSTALLED = dirname(createRequire(import.meta.url).resolve('kaspa-wasm'))
const glue = readFileSync(resolve(INSTALLED, 'kaspa.js'), 'utf8')
const convert = (altered: string): string => convertGlue(altered, '', 'kaspa-wasm32-sdk 0.15.2')

/** Of the published file in kaspa-wasm32-sdk 0.15.2. */
const WASM_SHA256 = '022347bdebeac2809d5acfec8d3a896d1eb466869cfac593b2c6e6d3245fd102'

describe('dist/sdk', () => {
  it('ships the unmodified WASM file of the Kaspa project', () => {
    const shipped = readFileSync(resolve(ROOT, 'dist/sdk/kaspa_bg.wasm'))
    expect(createHash('sha256').update(shipped).digest('hex')).toBe(WASM_SHA256)
  })

  it("ships the SDK's licence beside it", () => {
    expect(readFileSync(resolve(ROOT, 'dist/sdk/LICENSE'), 'utf8')).toContain('ISC')
  })

  it('declares the factory and the return types missing in the original', () => {
    const typings = readFileSync(resolve(ROOT, 'dist/sdk/kaspa.d.ts'), 'utf8')
    expect(typings).toContain('export function createSdk()')
    expect(typings).not.toMatch(/addEventListener\b[^;{}]*\)[^\S\n]*\n\s*\}/)
    expect(convertTypings('export function version(): string;')).toMatch(/^export function version\(\): string;/)
  })
})

describe('the converter', () => {
  it('removes CommonJS, animation frames and functions made from strings', () => {
    const code = convert(glue).replace(/\/\*[\s\S]*?\*\//g, '')
    expect(code).not.toMatch(/(?<![.\w])(?:require\(|module\.|__dirname|requestAnimationFrame\()/)
    expect(code).not.toContain('new Function')
  })

  it('states the origin of the converted glue', () => {
    expect(convert(glue)).toMatch(/^\/\/ Made by scripts\/build-sdk\.mjs of kaspa-wasm32-sdk 0\.15\.2;/)
  })

  it.each([
    ['the export object that doubles as import object', /^let imports = \{\};/m, 'const imports = {};'],
    ["Node's util", 'require(`util`)', "require('util')"],
    ["Node's way to print an object", /\[inspect\.custom\]\(\)/g, '[custom]()'],
    ['reading and compiling the WASM while the module loads', /^module\.exports\.__wasm = wasm;/m, ''],
    ['require', /(?<![.\w])require\(getStringFromWasm0\(/g, 'load(getStringFromWasm0('],
    ['module.require', 'module.require;', 'undefined;'],
    ['functions made of text', /new Function\(/g, 'eval('],
    ['waiting for a frame', /requestAnimationFrame\(take/g, 'setTimeout(take'],
    ['waiting for no frame', /cancelAnimationFrame\(take/g, 'clearTimeout(take'],
    ['functions for the WASM', /^module\.exports\.__wb/gm, 'exported.__wb'],
    ['exported classes', /^module\.exports\.(\w+) = \1;$/gm, ''],
  ])('throws when the glue has changed: %s', (what, from, to) => {
    expect(() => convert(glue.replace(from, to))).toThrow(`The SDK glue has changed: ${what} not found`)
  })

  it('throws at a line that would fail in a browser, and quotes it', () => {
    expect(() => convert(`${glue}\nconst fs = require('fs');\n`)).toThrow(
      "The SDK glue has changed: this line cannot stay: const fs = require('fs');",
    )
  })
})
