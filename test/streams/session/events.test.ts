import { expect, it } from 'vitest'
import { marbles } from '../../marbles.js'
import { createTestLink, run } from '../link.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'

it.each([
  ['is healthy', {}],
  ['is not synced', { isSynced: false }],
  ['has no UTXO index', { hasUtxoIndex: false }],
])('emits connect and disconnect once each if the node %s', (_, flaw) => {
  marbles((m) => {
    const { link, node, connect } = createTestLink(m.scheduler)
    node.respond('getServerInfo', () => fixtures.serverInfo(flaw))
    const types: string[] = []
    link.received$.subscribe(({ type }) => types.push(type))
    run(m.hot('c----x'), { c: connect, x: () => link.connector.disconnect() })
    m.flush()
    expect(types).toEqual(['connect', 'disconnect'])
  })()
})
