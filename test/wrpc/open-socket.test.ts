import { describe, expect, it } from 'vitest'
import type { PlatformSocket } from '../../src/platform/port.js'
import { openSocket$ } from '../../src/wrpc/web-socket.js'
import { scriptedSocket, type ScriptedSocket } from './scripted-socket.js'

const URL = 'ws://127.0.0.1:17110'

/** A platform that delivers its socket on `arrive()`. */
function platformWith(socket: ScriptedSocket): {
  openSocket: () => Promise<PlatformSocket>
  arrive: () => Promise<void>
} {
  let resolve: (socket: PlatformSocket) => void = () => undefined
  const arrival = new Promise<PlatformSocket>((given) => (resolve = given))
  return {
    openSocket: () => arrival,
    arrive: async () => {
      resolve(socket)
      await arrival
    },
  }
}

describe('openSocket$', () => {
  it('emits the socket when it is open, and leaves it open after unsubscribing', async () => {
    const socket = scriptedSocket()
    const platform = platformWith(socket)
    const received: unknown[] = []
    const opening = openSocket$(platform, URL).subscribe({
      next: (one) => received.push(one),
      complete: () => received.push('|'),
    })
    await platform.arrive()
    socket.open()
    opening.unsubscribe()
    expect(received).toEqual([socket, '|'])
    expect(socket.closed).toBe(false)
  })

  it('closes the socket if unsubscribed while it opens', async () => {
    const socket = scriptedSocket()
    const platform = platformWith(socket)
    const opening = openSocket$(platform, URL).subscribe(() => expect.unreachable())
    await platform.arrive()
    opening.unsubscribe()
    expect(socket.closed).toBe(true)
    expect(socket.onopen).toBeNull()
  })

  it('closes a socket that arrives after unsubscribing', async () => {
    const socket = scriptedSocket()
    const platform = platformWith(socket)
    openSocket$(platform, URL)
      .subscribe(() => expect.unreachable())
      .unsubscribe()
    await platform.arrive()
    expect(socket.closed).toBe(true)
  })

  it('fails with the cause from the platform', async () => {
    const socket = scriptedSocket()
    const platform = platformWith(socket)
    const failed = new Promise((resolve) => openSocket$(platform, URL).subscribe({ error: resolve }))
    await platform.arrive()
    socket.fail()
    expect(await failed).toMatchObject({
      message: 'Could not connect to ws://127.0.0.1:17110: ECONNRESET',
      code: 'connect-failed',
      hint: 'Check the address, and that a node listens there.',
      cause: { message: `${URL} could not be reached`, cause: new Error('ECONNRESET') },
    })
  })

  it('fails if the platform has no sockets', async () => {
    const none = { openSocket: () => Promise.reject(new Error('no WebSocket here')) }
    const failed = new Promise((resolve) => openSocket$(none, URL).subscribe({ error: resolve }))
    expect(await failed).toMatchObject({ code: 'connect-failed', cause: { cause: new Error('no WebSocket here') } })
  })

  it('names the innermost cause and the remedy where a bundle cannot load the socket', async () => {
    const shim = new Error('Dynamic require of "events" is not supported')
    const none = { openSocket: () => Promise.reject(new Error('The module failed to load', { cause: shim })) }
    const failed = new Promise((resolve) => openSocket$(none, URL).subscribe({ error: resolve }))
    expect(await failed).toMatchObject({
      cause: { message: 'This environment opens no WebSocket' },
      hint: `${shim.message}. In a bundled Node service, keep ws and isomorphic-ws external.`,
    })
  })
})
