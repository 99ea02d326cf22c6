import { createServer } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { build, type Plugin } from 'vite'

/** A production build of a page, minified, served by its own server. */
export interface BuiltPage {
  readonly url: string
  /** Paths of the built files. */
  readonly files: readonly string[]
  /** Requested paths, oldest first. */
  readonly requested: readonly string[]
  close(): void
}

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm' }
const HTML = '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/page.js"></script>'

/**
 * Builds a page that runs `code`, with constants to `define` and `plugins`, and serves it on loopback, uncached, with
 * `headers` on every response.
 */
export async function servePage(
  code: string,
  headers: Record<string, string> = {},
  define: Record<string, string> = {},
  plugins: readonly Plugin[] = [],
): Promise<BuiltPage> {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-page-'))
  const files = await buildPage(code, folder, define, plugins)
  const requested: string[] = []
  const server = createServer(({ url = '/' }, response) => {
    requested.push(url)
    const content = url === '/' ? HTML : read(join(folder, normalize(url)))
    const type = TYPES[extname(url)] ?? 'text/html'
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': type,
      'cache-control': 'no-store',
      ...headers,
    })
    response.end(content)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = (): void => {
    server.close()
    rmSync(folder, { recursive: true })
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, files, requested, close }
}

async function buildPage(
  code: string,
  outDir: string,
  define: Record<string, string>,
  plugins: readonly Plugin[],
): Promise<string[]> {
  const entry = '\0page'
  const output = await build({
    configFile: false,
    logLevel: 'error',
    define,
    worker: { format: 'es' },
    plugins: [
      ...plugins,
      { name: 'page', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: { input: entry, output: { entryFileNames: 'page.js' } },
    },
  })
  if (Array.isArray(output) || !('output' in output)) throw new Error('Vite returned more than one bundle')
  return output.output.map(({ fileName }) => `/${fileName}`)
}

const read = (file: string): Buffer | undefined => (existsSync(file) ? readFileSync(file) : undefined)
