import { createServer } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { build } from 'vite'

/** A page as a user would deploy it: built for production, minified, on a server of its own. */
export interface BuiltPage {
  readonly url: string
  /** The names of the built files, as paths. */
  readonly files: readonly string[]
  /** The paths asked for so far, oldest first. */
  readonly requested: readonly string[]
  close(): void
}

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm' }
const HTML = '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/page.js"></script>'

/** Builds a page that runs `code`, and serves it on loopback, never cached, with `headers` on every answer. */
export async function servePage(code: string, headers: Record<string, string> = {}): Promise<BuiltPage> {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-page-'))
  const files = await buildPage(code, folder)
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

async function buildPage(code: string, outDir: string): Promise<string[]> {
  const entry = '\0page'
  const output = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      { name: 'page', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: { input: entry, output: { entryFileNames: 'page.js' } },
    },
  })
  if (Array.isArray(output) || !('output' in output)) throw new Error('Vite answered no single bundle')
  return output.output.map(({ fileName }) => `/${fileName}`)
}

const read = (file: string): Buffer | undefined => (existsSync(file) ? readFileSync(file) : undefined)
