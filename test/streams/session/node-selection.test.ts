import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { SERVER_INFO } from '../../engine/stream-contracts/chain-node.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run, simnet } from '../link.js'

const [A, B] = ['wss://a.example', 'wss://b.example']
const both = { ...simnet, urls: [A, B] }

describe('several nodes', () => {
  it.each([
    ['is out of sync', { isSynced: false }],
    ['lacks the UTXO index', { hasUtxoIndex: false }],
  ])('try a node that %s last', (_, flaw) => {
    marbles((m) => {
      const { link, node } = createTestLink(m.scheduler)
      node.respond('getServerInfo', (_, { endpoint }) => of({ ...SERVER_INFO, ...(endpoint.url === B ? flaw : {}) }))
      const connect = (): unknown => link.connector.connect(both).catch((error: unknown) => error)
      // A drops, B is connected, then reconnect() prefers A to the faulty B
      run(m.hot('c----x---------r'), { c: connect, x: () => node.drop(), r: () => link.connector.reconnect() })
      m.flush()
      expect(node.dialled).toEqual([A, B, A])
    })()
  })

  it('keep a healthy node on reconnect()', () => {
    marbles((m) => {
      const { link, node } = createTestLink(m.scheduler)
      const connect = (): unknown => link.connector.connect(both).catch((error: unknown) => error)
      run(m.hot('c----x---------r'), { c: connect, x: () => node.drop(), r: () => link.connector.reconnect() })
      m.flush()
      expect(node.dialled).toEqual([A, B, B])
    })()
  })

  it('try a node last whose DAA score has not changed for a minute', () => {
    marbles((m) => {
      const { link, node } = createTestLink(m.scheduler, {}, 100_000)
      const connect = (): unknown => link.connector.connect(both).catch((error: unknown) => error)
      run(m.hot('c 70s r'), { c: connect, r: () => link.connector.reconnect() })
      m.flush()
      expect(node.dialled).toEqual([A, B])
    })()
  })
})
