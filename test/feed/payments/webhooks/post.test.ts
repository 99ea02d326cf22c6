import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { checkWebhook, post, type Post } from '../../../../src/feed/payments/webhooks/post.js'
import { listen } from '../../../listen.js'

const LOOPBACK = { address: '127.0.0.1', family: 4 }
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

let ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends) await end()
  ends = []
})

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const { port, close } = await listen(createServer(handle))
  ends.push(close)
  return port
}

/** Posts to a name that resolves to loopback. */
const postTo = (port: number, more: Partial<Post> = {}): Promise<number> =>
  post({
    url: new URL(`http://shop.example:${port}/hook`),
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    allowPrivate: true,
    timeout: 10_000,
    signal: new AbortController().signal,
    resolve: () => Promise.resolve([LOOPBACK]),
    ...more,
  })

it('posts to the address that was checked, with the name as Host', async () => {
  const received: object[] = []
  const port = await serve((request, response) => {
    void request.toArray().then((chunks) => {
      const { method, url, headers } = request
      received.push({ method, url, host: headers.host, body: Buffer.concat(chunks).toString() })
      response.writeHead(204).end()
    })
  })
  let resolved = 0
  const resolve = () => {
    resolved++
    return Promise.resolve([LOOPBACK])
  }
  expect(await postTo(port, { resolve })).toBe(204)
  expect(received).toEqual([{ method: 'POST', url: '/hook', host: `shop.example:${port}`, body: '{"a":1}' }])
  expect(resolved).toBe(1)
})

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:7f00:1',
  'fe80::1',
  'fc00::1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  'not an address',
])('refuses a name that resolves to %s, also beside a public address', async (address) => {
  let connections = 0
  const port = await serve((_, response) => {
    connections++
    response.end()
  })
  const resolve = () =>
    Promise.resolve([
      { address: '93.184.216.34', family: 4 },
      { address, family: address.includes(':') ? 6 : 4 },
    ])
  await expect(postTo(port, { allowPrivate: false, resolve })).rejects.toThrow(`The address ${address} is private`)
  expect(connections).toBe(0)
})

it('follows no redirect', async () => {
  let followed = 0
  const target = await serve((_, response) => {
    followed++
    response.end()
  })
  const port = await serve((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${target}/` }).end()
  })
  expect(await postTo(port)).toBe(307)
  expect(followed).toBe(0)
})

it('ends a response that never ends after 4 kB, and the connection with it', async () => {
  let close: (sent: number) => void = () => undefined
  const closed = new Promise<number>((resolve) => (close = resolve))
  const port = await serve((_, response) => {
    let sent = 0
    const send = (): void => {
      while (!response.destroyed && sent < 100_000_000) {
        sent += 65_536
        if (!response.write(Buffer.alloc(65_536))) break
      }
    }
    response.on('drain', send)
    response.on('close', () => close(sent))
    send()
  })
  expect(await postTo(port)).toBe(200)
  expect(await closed).toBeLessThan(100_000_000)
})

it('ends at the time limit, whatever it waits for', async () => {
  const silent = await serve(() => undefined)
  const slow = await serve((_, response) => void response.write('a'))
  for (const port of [silent, slow]) await expect(postTo(port, { timeout: 50 })).rejects.toThrow()
  const resolve = () => new Promise<never>(() => undefined)
  await expect(postTo(silent, { timeout: 50, resolve })).rejects.toThrow()
})

it('names the host in the TLS handshake with the address that was checked', async () => {
  const server = createTcpServer()
  const { port, close } = await listen(server)
  ends.push(close)
  const hello = once(server, 'connection').then(async (values) => {
    const [socket] = values as [Socket]
    const [data] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return data.toString('latin1')
  })
  await expect(postTo(port, { url: new URL(`https://shop.example:${port}/`) })).rejects.toThrow()
  expect(await hello).toContain('shop.example')
})

it.each([
  ['http://shop.example/', '"webhook.url" is no URL of https'],
  ['ftp://shop.example/', '"webhook.url" is no URL of https'],
  ['shop.example', '"webhook.url" is no URL of https'],
  ['https://user:word@shop.example/', '"webhook.url" has a user or password'],
  ['https://localhost/', '"webhook.url" is a private address'],
  ['https://0x7f000001/', '"webhook.url" is a private address'],
  ['https://[::ffff:7f00:1]/', '"webhook.url" is a private address'],
  ['https://metadata.internal/', '"webhook.url" is a private address'],
])('refuses the target %s', (url, message) => {
  expect(() => checkWebhook({ url, secret: SECRET })).toThrow(message)
})

it('refuses more than two secrets, and those that are none', () => {
  const url = 'https://shop.example/'
  const three = [SECRET, SECRET, SECRET] as unknown as readonly [string, string]
  expect(() => checkWebhook({ url, secret: three })).toThrow('"webhook.secret" must be one secret, or two')
  expect(() => checkWebhook({ url, secret: [SECRET, 'short'] })).toThrow('"webhook.secret" is no secret of webhooks')
})
