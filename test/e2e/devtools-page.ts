import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createServer } from 'vite'

const ROOT = resolve(import.meta.dirname, '../..')

/** An app in development, which imports the built library as an installed package. */
export interface DevelopmentPage {
  readonly url: string
  close(): Promise<void>
}

const HTML = `<!doctype html><link rel="icon" href="data:," /><div id="first"></div><div id="second"></div><div id="hidden"></div><div id="late"></div>
<script type="module" src="/@id/page"></script>`

/** Serves `code` by Vite's development server, from a folder whose packages are `packages` of this repository. */
export async function serveInDevelopment(code: string, packages: readonly string[]): Promise<DevelopmentPage> {
  const root = mkdtempSync(join(tmpdir(), 'vue-chain-development-'))
  link(root, 'vue-chain', ROOT)
  for (const name of packages) link(root, name, join(ROOT, 'node_modules', name))
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null, fs: { strict: false } },
    optimizeDeps: { noDiscovery: true, include: ['vue-chain', 'vue-chain/light', ...packages] },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? join(root, 'page.js') : null),
        load: (id) => (id === join(root, 'page.js') ? code : null),
        configureServer: ({ middlewares }) => {
          middlewares.use((request, response, next) => {
            if (request.url === '/') response.setHeader('content-type', 'text/html').end(HTML)
            else next()
          })
        },
      },
    ],
  })
  await server.listen()
  const close = async (): Promise<void> => {
    await server.close()
    rmSync(root, { recursive: true })
  }
  return { url: server.resolvedUrls?.local[0] ?? '', close }
}

function link(root: string, name: string, target: string): void {
  const path = join(root, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}
