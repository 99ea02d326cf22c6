import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build, defaultClientConditions } from 'vite'

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

const ROOT = resolve(import.meta.dirname, '../..')

/**
 * Builds `src/service-worker.ts` of a folder into `extension/service-worker.js`, one file: service workers have no
 * `import()`.
 */
export type Bundler = (folder: string) => Promise<void>

/** Vite, with the configuration of docs/light.md. */
export const bundleByVite: Bundler = (folder) => bundleFile(folder, 'service-worker')

/** The same for the service worker and the popup. */
export const bundleWithPopup: Bundler = async (folder) => {
  await bundleFile(folder, 'service-worker')
  await bundleFile(folder, 'popup')
}

async function bundleFile(folder: string, name: 'service-worker' | 'popup'): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    define: { __VUE_CHAIN_WASM__: 'false' },
    resolve: { conditions: ['es2015', ...defaultClientConditions] },
    build: {
      outDir: join(folder, 'extension'),
      emptyOutDir: false,
      modulePreload: false,
      target: 'es2022',
      rolldownOptions: {
        input: join(folder, `src/${name}.ts`),
        output: { codeSplitting: false, entryFileNames: `${name}.js` },
      },
    },
  })
}

/** The command of docs/light.md, run as it stands in the folder. */
export const bundleByEsbuild: Bundler = (folder) => {
  const [, command = ''] = /^```sh\n(esbuild .+)$/m.exec(readFileSync(resolve(ROOT, 'docs/light.md'), 'utf8')) ?? []
  const [program = '', ...parameters] = command.split(' ')
  execFileSync(resolve(ROOT, 'node_modules/.bin', program), parameters, { cwd: folder, stdio: 'pipe' })
  return Promise.resolve()
}

/**
 * Builds an extension whose service worker runs `code`, which may import this package by its name, and whose page
 * `popup.html` runs `popup`.
 */
export async function buildExtension(code: string, bundle: Bundler, popup = ''): Promise<BuiltExtension> {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-extension-'))
  for (const name of ['src', 'node_modules']) mkdirSync(join(folder, name))
  symlinkSync(ROOT, join(folder, 'node_modules/vue-chain'))
  writeFileSync(join(folder, 'src/service-worker.ts'), code)
  writeFileSync(join(folder, 'src/popup.ts'), popup)
  await bundle(folder)
  const output = join(folder, 'extension')
  const files = readdirSync(output, { recursive: true, encoding: 'utf8' })
  writeFileSync(join(output, 'popup.html'), '<!doctype html><script type="module" src="popup.js"></script>')
  writeFileSync(join(output, 'manifest.json'), JSON.stringify(MANIFEST))
  return { folder: output, files, remove: () => rmSync(folder, { recursive: true }) }
}
