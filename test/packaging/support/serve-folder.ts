import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.css': 'text/css',
}

/**
 * Serves the files of a folder below `base` on loopback, with `headers`; resolves to its URL. A folder is served by its
 * index.html.
 */
export async function serveFolder(
  folder: string,
  base = '/',
  headers: Readonly<Record<string, string>> = {},
): Promise<{ url: string; stop: () => void }> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const path = pathname.startsWith(base)
      ? normalize(`/${decodeURIComponent(pathname.slice(base.length))}`)
      : undefined
    const file = path === undefined ? undefined : toFile(join(folder, path))
    if (file === undefined) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { ...headers, 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${base}`, stop: () => void server.close() }
}

function toFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  return statSync(path).isDirectory() ? toFile(join(path, 'index.html')) : path
}
