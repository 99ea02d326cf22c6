import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A package registry on loopback with one package in one version. */
export async function serveRegistry(
  name: string,
  version: string,
  tarball: string,
): Promise<{ url: string; requested: readonly string[]; stop: () => void }> {
  const content = readFileSync(tarball)
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
  const requested: string[] = []
  const server = createServer(({ url = '/', headers: { host = '' } }, response) => {
    requested.push(url)
    const dist = { tarball: `http://${host}/${name}.tgz`, integrity }
    const manifest = { name, version, bin: { [name]: 'dist/main.js' }, dist }
    if (url === `/${name}.tgz`) response.end(content)
    else if (url === `/${name}`)
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: manifest } }))
    else response.writeHead(404).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, requested, stop: () => void server.close() }
}
