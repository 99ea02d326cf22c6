import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { GREETING } from '../../engine/promises/chain-node.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run, simnet } from '../link.js'

const [A, B] = ['wss://a.example', 'wss://b.example']
const both = { ...simnet, urls: [A, B] }

describe('of several nodes', () => {
  it.each([
    ['is out of sync', { isSynced: false }],
    ['lacks the UTXO index', { hasUtxoIndex: false }],
  ])('one that %s is tried last the next time', (_, flaw) => {
    marbles((m) => {
      const { link, node } = createTestLink(m.scheduler)
      node.answer('getServerInfo', (_, { endpoint }) => of({ ...GREETING, ...(endpoint.url === B ? flaw : {}) }))
      const ask = (): unknown => link.keeper.connect(both).catch((error: unknown) => error)
      // A is lost and B takes its place; the user, to whom B is no use, asks for another
      run(m.hot('c----x---------r'), { c: ask, x: () => node.drop(), r: () => link.keeper.reconnect() })
      m.flush()
      expect(node.dialled).toEqual([A, B, A])
    })()
  })

  it('one that is well is kept when its user asks for a new connection', () => {
    marbles((m) => {
      const { link, node } = createTestLink(m.scheduler)
      const ask = (): unknown => link.keeper.connect(both).catch((error: unknown) => error)
      run(m.hot('c----x---------r'), { c: ask, x: () => node.drop(), r: () => link.keeper.reconnect() })
      m.flush()
      expect(node.dialled).toEqual([A, B, B])
    })()
  })

  it('one that lags, its DAA score standing still for a minute, is tried last the next time', () => {
    marbles((m) => {
      const { link, node } = createTestLink(m.scheduler, {}, 100_000)
      const ask = (): unknown => link.keeper.connect(both).catch((error: unknown) => error)
      run(m.hot('c 70s r'), { c: ask, r: () => link.keeper.reconnect() })
      m.flush()
      expect(node.dialled).toEqual([A, B])
    })()
  })
})
