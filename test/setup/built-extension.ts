import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

/** An unpacked Chromium extension (Manifest V3). */
export interface BuiltExtension {
  readonly folder: string
  /** Names of the built files, without the manifest. */
  readonly files: readonly string[]
  remove(): void
}

/** Determines the id of the extension. Chromium requires no more of it than base64. */
const KEY = Buffer.from('vue-chain test extension')

/** The origin of the extension: the first 16 bytes of the key's SHA-256, with the letters a to p as digits. */
export const EXTENSION_ORIGIN = `chrome-extension://${toId(createHash('sha256').update(KEY).digest('hex'))}`

function toId(hex: string): string {
  return hex.slice(0, 32).replaceAll(/./g, (digit) => 'abcdefghijklmnop'.charAt(parseInt(digit, 16)))
}

const MANIFEST = {
  manifest_version: 3,
  name: 'vue-chain',
  version: '1.0',
  key: KEY.toString('base64'),
  background: { service_worker: 'service-worker.js', type: 'module' },
  content_security_policy: { extension_pages: "default-src 'none'; script-src 'self'; connect-src ws:" },
}

/**
 * Builds an extension whose service worker runs `code`, as docs/light.md describes: one file, since service workers have no
 * `import()`.
 */
export async function buildExtension(code: string): Promise<BuiltExtension> {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-extension-'))
  const entry = join(folder, 'entry.ts')
  const output = join(folder, 'extension')
  writeFileSync(entry, code)
  await build({
    configFile: false,
    logLevel: 'error',
    define: { __VUE_CHAIN_WASM__: 'false' },
    build: {
      outDir: output,
      modulePreload: false,
      target: 'es2022',
      rolldownOptions: { input: entry, output: { codeSplitting: false, entryFileNames: 'service-worker.js' } },
    },
  })
  const files = readdirSync(output, { recursive: true, encoding: 'utf8' })
  writeFileSync(join(output, 'manifest.json'), JSON.stringify(MANIFEST))
  return { folder: output, files, remove: () => rmSync(folder, { recursive: true }) }
}
