import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { PlatformSocket } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { halfAFrame, startRawServer, type RawServer } from './raw-server.js'

const platform = createServerPlatform()
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A platform socket to a ws server, and the server's end of it. */
async function openBoth(): Promise<{ readonly socket: PlatformSocket; readonly peer: WebSocket }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true })
  await once(server, 'listening')
  cleanups.push(() => server.close(), () => server.clients.forEach((client) => client.terminate())) // prettier-ignore
  const connected = once(server, 'connection') as Promise<[WebSocket]>
  const socket = await platform.openSocket(`ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
  await new Promise<void>((resolve) => (socket.onopen = resolve))
  const [peer] = await connected
  return { socket, peer }
}

async function openRaw(onOpen: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const server = await startRawServer(onOpen)
  cleanups.push(() => server.close())
  return server
}

const nextMessage = (socket: PlatformSocket): Promise<unknown> =>
  new Promise((resolve) => (socket.onmessage = ({ data }) => resolve(data)))

const whenClosed = (socket: PlatformSocket): Promise<{ readonly code: number }> =>
  new Promise((resolve) => (socket.onclose = resolve))

describe('a socket under Node', () => {
  it('receives text as text and bytes as bytes', async () => {
    const { socket, peer } = await openBoth()
    const text = nextMessage(socket)
    peer.send('text')
    expect(await text).toBe('text')
    const bytes = nextMessage(socket)
    peer.send(Uint8Array.of(1, 2, 3))
    expect(new Uint8Array((await bytes) as ArrayBuffer)).toEqual(Uint8Array.of(1, 2, 3))
    socket.close()
  })

  it('sends text and bytes', async () => {
    const { socket, peer } = await openBoth()
    socket.send('text')
    expect(String((await once(peer, 'message'))[0])).toBe('text')
    socket.send(Uint8Array.of(4, 5))
    expect((await once(peer, 'message'))[0]).toEqual(Buffer.of(4, 5))
    expect([socket.readyState, socket.bufferedAmount]).toEqual([1, 0])
    socket.close()
  })

  it('receives a message above the default limit of ws, 100 MiB', async () => {
    const { socket, peer } = await openBoth()
    const message = nextMessage(socket)
    peer.send(Buffer.alloc(101 * 1024 ** 2))
    expect(((await message) as ArrayBuffer).byteLength).toBe(101 * 1024 ** 2)
    socket.close()
  })

  it('offers no compression', async () => {
    const server = await openRaw((connection) => connection.end())
    await whenClosed(await platform.openSocket(server.url))
    expect(server.offers).toEqual([undefined])
  })

  it('completes the closing handshake and reports the close', async () => {
    const { socket, peer } = await openBoth()
    const closed = whenClosed(socket)
    const peerClosed = once(peer, 'close')
    socket.close(1000)
    expect((await peerClosed)[0]).toBe(1000)
    expect(await closed).toMatchObject({ code: 1000 })
  })

  it('terminates half a second after close() if the node is frozen', async () => {
    let ended: Promise<unknown> = Promise.resolve()
    const server = await openRaw((connection) => {
      connection.resume()
      ended = once(connection, 'end')
    })
    const socket = await platform.openSocket(server.url)
    await new Promise<void>((resolve) => (socket.onopen = resolve))
    const closed = whenClosed(socket)
    socket.close()
    expect(await closed).toMatchObject({ code: 1006 })
    await ended
  })

  it('ignores a truncated frame and reports the close', async () => {
    const server = await openRaw((connection) => void connection.end(halfAFrame(50)))
    const socket = await platform.openSocket(server.url)
    const received: unknown[] = []
    socket.onmessage = ({ data }) => received.push(data)
    expect(await whenClosed(socket)).toMatchObject({ code: 1006 })
    expect(received).toEqual([])
  })

  it('reports a failed connection by its events, and ignores errors without a handler', async () => {
    const server = await openRaw(() => undefined)
    const socket = await platform.openSocket(server.url)
    socket.close() // before it is open: an error without a handler
    const elsewhere = await platform.openSocket('ws://127.0.0.1:1')
    const error = new Promise((resolve) => (elsewhere.onerror = resolve))
    const closed = whenClosed(elsewhere)
    expect(await error).toMatchObject({ error: { code: 'ECONNREFUSED' } })
    expect(await closed).toMatchObject({ code: 1006 })
  })
})
