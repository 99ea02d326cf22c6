import { createServer, type Server } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { CDPSession } from 'playwright-core'

/** 20 Mbit/s and 40 ms, in the units of the browser's protocol. */
const NETWORK = { offline: false, latency: 40, downloadThroughput: 2_500_000, uploadThroughput: 2_500_000 }

/** Throttles a page's network; returns a reader of the bytes received so far. */
export async function throttle(session: CDPSession): Promise<() => number> {
  let bytes = 0
  session.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  session.on('Network.webSocketFrameReceived', ({ response }) => {
    bytes += response.payloadData.length
  })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
  return () => bytes
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
}

/** Serves a folder on loopback with gzip, every file; by default uncached. Queries are ignored. */
export async function serveCompressed(folder: string, cacheControl = 'no-store'): Promise<Server> {
  const compressed = new Map<string, Buffer>()
  const server = createServer(({ url = '/' }, response) => {
    const [path = '/'] = url.split('?')
    const name = path.endsWith('/') ? `${path}index.html` : path
    const file = resolve(folder, `.${name}`)
    if (!existsSync(file)) return void response.writeHead(404).end()
    const body = compressed.get(file) ?? gzipSync(readFileSync(file), { level: 9 })
    compressed.set(file, body)
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', 'cache-control': cacheControl })
    response.end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

export const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
