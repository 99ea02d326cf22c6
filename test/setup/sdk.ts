import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const CONVERTER = resolve(ROOT, 'scripts/build-sdk.mjs')
const OUTPUT = resolve(ROOT, 'dist/sdk/kaspa.js')
const SOURCES = [
  CONVERTER,
  resolve(ROOT, 'scripts/sdk/convert.mjs'),
  resolve(ROOT, 'scripts/sdk/runtime.js'),
  resolve(ROOT, 'scripts/sdk/wasm.js'),
  resolve(ROOT, 'scripts/sdk/wasm.d.ts'),
  createRequire(import.meta.url).resolve('kaspa-wasm'),
]

/** A vitest globalSetup: builds dist/sdk where it is missing or older than its sources. */
export function setup(): void {
  if (!isUpToDate()) execFileSync(process.execPath, [CONVERTER], { stdio: 'inherit' })
}

function isUpToDate(): boolean {
  if (!existsSync(OUTPUT)) return false
  const built = statSync(OUTPUT).mtimeMs
  return SOURCES.every((source) => statSync(source).mtimeMs <= built)
}
