import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { NodeUnderTest } from '../support/node-under-test.js'

/** How a node treats its WebSockets. */
export function manners(node: NodeUnderTest): void {
  describe('at the door', () => {
    it('answers no close frame: a client that closes sees 1006', async () => {
      const { socket } = await node.connect()
      socket.close(1000)
      const [code] = (await once(socket, 'close')) as [number]
      expect(code).toBe(1006)
    })

    it('answers pings', async () => {
      const client = await node.connect()
      client.socket.ping('are you there')
      const [data] = (await once(client.socket, 'pong')) as [Buffer]
      expect(data.toString()).toBe('are you there')
      client.close()
    })

    it('never negotiates compression', async () => {
      const socket = new WebSocket(node.url, { perMessageDeflate: true })
      await once(socket, 'open')
      expect(socket.extensions).toBe('')
      socket.terminate()
    })

    it('selects no subprotocol, so that a client which asks for one fails to open', async () => {
      const socket = new WebSocket(node.url, 'wrpc')
      const [error] = (await once(socket, 'error')) as [Error]
      expect(error.message).toBe('Server sent no subprotocol')
    })

    it('does not look at path and query', async () => {
      const socket = new WebSocket(`${node.url}/any/path?and=query`)
      await once(socket, 'open')
      socket.terminate()
    })

    it('answers the calls of one connection in their order', async () => {
      const client = await node.connect()
      const answered: string[] = []
      const note = (name: string) => () => void answered.push(name)
      await Promise.all([
        client
          .call('getBlocks', { includeBlocks: false, includeTransactions: false })
          .then(note('first'), note('first')),
        client.call('getBlockDagInfo', {}).then(note('second')),
        client.call('ping', {}).then(note('third')),
      ])
      expect(answered).toEqual(['first', 'second', 'third'])
      client.close()
    })
  })
}
