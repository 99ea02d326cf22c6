import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { build, type Plugin } from 'vite'

/** A production build of a page, minified, served by its own server. */
export interface BuiltPage {
  readonly url: string
  /** Paths of the built files. */
  readonly files: readonly string[]
  /** Requested paths, oldest first. */
  readonly requested: readonly string[]
  /** Serves the page of another release beside it, as these plugins build it; resolves to its URL. */
  addRelease(name: string, plugins: readonly Plugin[]): Promise<string>
  close(): void
}

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm' }
const toHtml = (name: string): string =>
  `<!doctype html><link rel="icon" href="data:," /><script type="module" src="/${name}.js"></script>`

/** The name of the script of the page. */
const SCRIPT = 'page'

/** The files of a build by their paths. */
type Files = ReadonlyMap<string, string | Uint8Array>

/** Builds of this process without plugins, by their inputs. */
const builds = new Map<string, Promise<Files>>()

/**
 * Builds a page that runs `code`, with constants to `define` and `plugins`, and serves it on loopback, uncached, with
 * `headers` on every response. Pages of equal code share one build: a query has what differs by test.
 */
export async function servePage(
  code: string,
  headers: Record<string, string> = {},
  define: Record<string, string> = {},
  plugins: readonly Plugin[] = [],
): Promise<BuiltPage> {
  const files = new Map(await buildOnce(code, define, plugins))
  files.set('/', toHtml(SCRIPT))
  const requested: string[] = []
  const server = createServer(({ url = '/' }, response) => {
    requested.push(url)
    const { pathname } = new URL(url, 'http://page')
    const content = files.get(pathname)
    const type = TYPES[extname(pathname)] ?? 'text/html'
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': type,
      'cache-control': 'no-store',
      ...headers,
    })
    response.end(content)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    files: [...files.keys()].filter((path) => path !== '/'),
    requested,
    addRelease: async (name, ownPlugins) => {
      for (const [path, content] of await buildPage(code, define, ownPlugins, name)) files.set(path, content)
      files.set(`/${name}`, toHtml(name))
      return url + name
    },
    close: () => void server.close(),
  }
}

function buildOnce(code: string, define: Record<string, string>, plugins: readonly Plugin[]): Promise<Files> {
  if (plugins.length > 0) return buildPage(code, define, plugins)
  const inputs = JSON.stringify([code, define])
  const files = builds.get(inputs) ?? buildPage(code, define, plugins)
  builds.set(inputs, files)
  return files
}

async function buildPage(
  code: string,
  define: Record<string, string>,
  plugins: readonly Plugin[],
  script = SCRIPT,
): Promise<Files> {
  const entry = '\0page'
  const output = await build({
    configFile: false,
    logLevel: 'error',
    define,
    worker: { format: 'es', plugins: () => [...plugins] },
    plugins: [
      ...plugins,
      { name: 'page', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) },
    ],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: entry, output: { entryFileNames: `${script}.js` } },
    },
  })
  if (Array.isArray(output) || !('output' in output)) throw new Error('Vite returned more than one bundle')
  return new Map(output.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]))
}
