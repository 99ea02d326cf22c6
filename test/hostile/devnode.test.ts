import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { MAX_UNSENT, createOutbox } from '../../src/devnode/server/outbox.js'

let devnode: Devnode | undefined
afterEach(async () => {
  await devnode?.close()
  devnode = undefined
})

const outgoing = (length: number) => ({
  frame: 'x'.repeat(length),
  replyTo: undefined,
  delay: 0,
  reorderDelay: 0,
  bytesPerSecond: undefined,
})

describe('A7: a client that does not read', () => {
  it('is disconnected once 64 MiB wait for it, and not before', () => {
    let unsent = 0
    let exceeded = 0
    const outbox = createOutbox((part) => (unsent += part.length), {
      unsent: () => unsent,
      onExceeded: () => (exceeded += 1),
    })
    outbox.post(outgoing(MAX_UNSENT))
    outbox.post(outgoing(1))
    expect({ unsent, exceeded }).toEqual({ unsent: MAX_UNSENT + 1, exceeded: 0 })
    outbox.post(outgoing(1))
    expect({ unsent, exceeded }).toEqual({ unsent: MAX_UNSENT + 1, exceeded: 1 })
  })

  it('is disconnected while the outbox is paused', () => {
    let exceeded = 0
    const outbox = createOutbox(() => undefined, { unsent: () => 0, onExceeded: () => (exceeded += 1) })
    outbox.pause()
    for (const length of [MAX_UNSENT, 1, 1]) outbox.post(outgoing(length))
    expect(exceeded).toBe(1)
  })

  it('loses its connection to a devnode', async () => {
    devnode = await createDevnode({ blockInterval: 0 })
    const client = new WebSocket(devnode.urls.json)
    await once(client, 'open')
    client.pause()
    expect(devnode.connections()).toHaveLength(1)
    devnode.faults.pad({ bytes: 8 * 2 ** 20 })
    for (let id = 1; id <= 20; id++) client.send(`{"id":${String(id)},"method":"getInfo","params":{}}`)
    while (devnode.connections().length > 0) await new Promise((resolve) => setImmediate(resolve))
    client.terminate()
  })
})

describe('D10: a WebSocket handshake', () => {
  it.each(['evil.example', '127.0.0.1.evil.example:80'])('is refused for Host "%s"', async (host) => {
    devnode = await createDevnode({ blockInterval: 0 })
    for (const url of [devnode.urls.borsh, devnode.urls.json]) {
      const client = new WebSocket(url, { headers: { host } })
      const [error] = (await once(client, 'error')) as [Error]
      expect(error.message).toBe('Unexpected server response: 403')
    }
  })

  it('is accepted for loopback', async () => {
    devnode = await createDevnode({ blockInterval: 0 })
    const client = new WebSocket(devnode.urls.borsh, { headers: { host: 'localhost:17110' } })
    await once(client, 'open')
    client.terminate()
  })
})
