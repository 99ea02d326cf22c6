import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { NodeUnderTest } from '../support/node-under-test.js'

/** WebSocket behaviour of a node. */
export function connectionBehaviour(node: NodeUnderTest): void {
  describe('a WebSocket connection', () => {
    it('gets no close frame: a closing client sees code 1006', async () => {
      const socket = new WebSocket(node.url)
      await once(socket, 'open')
      socket.close(1000)
      const [code] = (await once(socket, 'close')) as [number]
      expect(code).toBe(1006)
    })

    it('responds to pings', async () => {
      const socket = new WebSocket(node.url)
      await once(socket, 'open')
      socket.ping('are you there')
      const [data] = (await once(socket, 'pong')) as [Buffer]
      expect(data.toString()).toBe('are you there')
      socket.terminate()
    })

    it('never negotiates compression', async () => {
      const socket = new WebSocket(node.url, { perMessageDeflate: true })
      await once(socket, 'open')
      expect(socket.extensions).toBe('')
      socket.terminate()
    })

    it('selects no subprotocol, so that a client that requests one fails to open', async () => {
      const socket = new WebSocket(node.url, 'wrpc')
      const [error] = (await once(socket, 'error')) as [Error]
      expect(error.message).toBe('Server sent no subprotocol')
    })

    it('ignores path and query', async () => {
      const socket = new WebSocket(`${node.url}/any/path?and=query`)
      await once(socket, 'open')
      socket.terminate()
    })

    it('responds to the calls of one connection in order', async () => {
      const client = await node.connect()
      const replied: string[] = []
      const record = (name: string) => () => void replied.push(name)
      await Promise.all([
        client
          .call('getBlocks', { includeBlocks: false, includeTransactions: false })
          .then(record('first'), record('first')),
        client.call('getBlockDagInfo', {}).then(record('second')),
        client.call('ping', {}).then(record('third')),
      ])
      expect(replied).toEqual(['first', 'second', 'third'])
      client.close()
    })
  })
}
