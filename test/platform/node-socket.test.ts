import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { PlatformSocket } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/server.js'
import { halfAFrame, startRawServer, type RawServer } from './raw-server.js'

const platform = createServerPlatform()
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

/** A socket of the platform to a server of the ws package, and the server's end of it. */
async function openBoth(): Promise<{ readonly socket: PlatformSocket; readonly peer: WebSocket }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true })
  await once(server, 'listening')
  endings.push(() => server.close(), () => server.clients.forEach((client) => client.terminate())) // prettier-ignore
  const connected = once(server, 'connection') as Promise<[WebSocket]>
  const socket = await platform.openSocket(`ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
  await new Promise<void>((resolve) => (socket.onopen = resolve))
  const [peer] = await connected
  return { socket, peer }
}

async function openRaw(onOpen: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const server = await startRawServer(onOpen)
  endings.push(() => server.close())
  return server
}

const nextMessage = (socket: PlatformSocket): Promise<unknown> =>
  new Promise((resolve) => (socket.onmessage = ({ data }) => resolve(data)))

const whenClosed = (socket: PlatformSocket): Promise<{ readonly code: number }> =>
  new Promise((resolve) => (socket.onclose = resolve))

describe('a socket under Node', () => {
  it('hears text as text and bytes as bytes', async () => {
    const { socket, peer } = await openBoth()
    const text = nextMessage(socket)
    peer.send('a word')
    expect(await text).toBe('a word')
    const bytes = nextMessage(socket)
    peer.send(Uint8Array.of(1, 2, 3))
    expect(new Uint8Array((await bytes) as ArrayBuffer)).toEqual(Uint8Array.of(1, 2, 3))
    socket.close()
  })

  it('sends both', async () => {
    const { socket, peer } = await openBoth()
    socket.send('a word')
    expect(String((await once(peer, 'message'))[0])).toBe('a word')
    socket.send(Uint8Array.of(4, 5))
    expect((await once(peer, 'message'))[0]).toEqual(Buffer.of(4, 5))
    expect([socket.readyState, socket.bufferedAmount]).toEqual([1, 0])
    socket.close()
  })

  it('takes an answer of more than the 100 MiB at which its package would stop', async () => {
    const { socket, peer } = await openBoth()
    const message = nextMessage(socket)
    peer.send(Buffer.alloc(101 * 1024 ** 2))
    expect(((await message) as ArrayBuffer).byteLength).toBe(101 * 1024 ** 2)
    socket.close()
  })

  it('offers no compression, which no node negotiates', async () => {
    const server = await openRaw((connection) => connection.end())
    await whenClosed(await platform.openSocket(server.url))
    expect(server.offers).toEqual([undefined])
  })

  it('says goodbye, and tells of its end', async () => {
    const { socket, peer } = await openBoth()
    const closed = whenClosed(socket)
    const left = once(peer, 'close')
    socket.close(1000)
    expect((await left)[0]).toBe(1000)
    expect(await closed).toMatchObject({ code: 1000 })
  })

  it('is ended from here, half a second after the goodbye, where the node is frozen and never answers it', async () => {
    let gone: Promise<unknown> = Promise.resolve()
    const server = await openRaw((connection) => {
      connection.resume()
      gone = once(connection, 'end')
    })
    const socket = await platform.openSocket(server.url)
    await new Promise<void>((resolve) => (socket.onopen = resolve))
    const closed = whenClosed(socket)
    socket.close()
    expect(await closed).toMatchObject({ code: 1006 })
    await gone
  })

  it('hears nothing of a frame that was cut in half, and then its end', async () => {
    const server = await openRaw((connection) => void connection.end(halfAFrame(50)))
    const socket = await platform.openSocket(server.url)
    const heard: unknown[] = []
    socket.onmessage = ({ data }) => heard.push(data)
    expect(await whenClosed(socket)).toMatchObject({ code: 1006 })
    expect(heard).toEqual([])
  })

  it('tells by its events where there is no WebSocket, and troubles nobody who does not listen', async () => {
    const server = await openRaw(() => undefined)
    const socket = await platform.openSocket(server.url)
    socket.close() // before it stands: an error that nobody hears
    const elsewhere = await platform.openSocket('ws://127.0.0.1:1')
    const trouble = new Promise((resolve) => (elsewhere.onerror = resolve))
    const closed = whenClosed(elsewhere)
    expect(await trouble).toMatchObject({ error: { code: 'ECONNREFUSED' } })
    expect(await closed).toMatchObject({ code: 1006 })
  })
})
