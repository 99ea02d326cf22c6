import { describe, expect, it } from 'vitest'
import { openEarly } from '../../src/engine/open-ports.js'
import { openSocket$ } from '../../src/wrpc/web-socket.js'
import { scriptedSocket } from '../wrpc/scripted-socket.js'

const URL = 'ws://127.0.0.1:17110'

/** Ends once a socket of a resolved promise has its handlers. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

describe('openEarly', () => {
  it('hands over an open socket, and leaves it open when unsubscribed afterwards', async () => {
    const socket = scriptedSocket()
    const early = openEarly(() => socket)
    await settled()
    socket.open()
    const received: unknown[] = []
    openSocket$(early, URL).subscribe((one) => received.push(one))
    await expect.poll(() => received).toEqual([socket])
    early.unsubscribe()
    await settled()
    expect(socket.closed).toBe(false)
  })

  it('closes a socket that was not handed over, also one that arrives after unsubscribing', async () => {
    const socket = scriptedSocket()
    let arrive: (value: typeof socket) => void = () => undefined
    const early = openEarly(() => new Promise((resolve) => (arrive = resolve)))
    early.unsubscribe()
    expect(socket.closed).toBe(false)
    arrive(socket)
    await expect.poll(() => socket.closed).toBe(true)
  })

  it('repeats a failure that happened before the socket was handed over, with its cause', async () => {
    const socket = scriptedSocket()
    const early = openEarly(() => socket)
    await settled()
    socket.fail()
    const errors: unknown[] = []
    openSocket$(early, URL).subscribe({ error: (error) => errors.push(error) })
    await expect.poll(() => errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'connect-failed', details: `${URL} could not be reached: ECONNRESET` })
  })

  it('rejects where the platform opens no socket, and only then', async () => {
    const early = openEarly(() => Promise.reject(new TypeError('no sockets here')))
    await settled() // an unhandled rejection would fail the run
    await expect(early.openSocket()).rejects.toThrow('no sockets here')
    const unused = openEarly(() => {
      throw new TypeError('no sockets here')
    })
    unused.unsubscribe()
    await settled()
  })
})
