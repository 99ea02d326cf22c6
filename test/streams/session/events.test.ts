import { of } from 'rxjs'
import { expect, it } from 'vitest'
import { GREETING } from '../../engine/promises/chain-node.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run } from '../link.js'

it.each([
  ['is well', {}],
  ['turns out to be out of sync', { isSynced: false }],
  ['turns out to lack the UTXO index', { hasUtxoIndex: false }],
])('a connection is told of once, and its loss once, where its node %s', (_, flaw) => {
  marbles((m) => {
    const { link, node, connect } = createTestLink(m.scheduler)
    node.answer('getServerInfo', () => of({ ...GREETING, ...flaw }))
    const told: string[] = []
    link.heard$.subscribe(({ type }) => told.push(type))
    run(m.hot('c----x'), { c: connect, x: () => link.keeper.disconnect() })
    m.flush()
    expect(told).toEqual(['connect', 'disconnect'])
  })()
})
