import { describe, expect, it } from 'vitest'
import type { Session } from '../../../src/streams/session/establish.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run, simnet, type TestLink } from '../link.js'

const [A, B] = ['wss://a.example', 'wss://b.example']
const both = { ...simnet, urls: [A, B] }

describe('several nodes', () => {
  it.each([
    ['is out of sync', { isSynced: false }],
    ['lacks the UTXO index', { hasUtxoIndex: false }],
  ])('try a node that %s last', (_, flaw) => {
    marbles((m) => {
      const { link, node } = createTestLink(m.scheduler)
      node.respond('getServerInfo', (_, { endpoint }) => fixtures.serverInfo(endpoint.url === B ? flaw : {}))
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

describe('leaveNode', () => {
  const C = 'wss://c.example'
  const three = { ...simnet, urls: [A, B, C] }
  /** The session of a follower, as it is at each letter `s`. */
  const sessionsOf = ({ link }: TestLink) => {
    const sessions: Session[] = []
    link.session$.subscribe((session) => {
      if (session !== null) sessions.push(session)
    })
    return sessions
  }
  const connectTo =
    ({ link }: TestLink, target: typeof both) =>
    (): unknown =>
      link.connector.connect(target).catch((error: unknown) => error)

  it('connects to another endpoint, and prefers the left one no more', () => {
    marbles((m) => {
      const test = createTestLink(m.scheduler)
      const sessions = sessionsOf(test)
      run(m.hot('c----l---------r'), {
        c: connectTo(test, both),
        l: () => test.link.leaveNode(sessions[0]!),
        r: () => test.link.connector.reconnect(),
      })
      m.flush()
      expect(test.node.dialled).toEqual([A, B, B])
    })()
  })

  it('leaves one node where several followers of one session leave it', () => {
    marbles((m) => {
      const test = createTestLink(m.scheduler)
      const sessions = sessionsOf(test)
      const leave = (): void => test.link.leaveNode(sessions[0]!)
      run(m.hot('c----(ll)------l'), { c: connectTo(test, three), l: leave })
      m.flush()
      expect(test.node.dialled).toEqual([A, B])
      expect(sessions.map(({ connection }) => connection.endpoint.url)).toEqual([A, B])
    })()
  })

  it('does nothing for a session that a drop has ended, while the next connection is dialled', () => {
    marbles((m) => {
      const test = createTestLink(m.scheduler)
      const sessions = sessionsOf(test)
      run(m.hot('c----(xl)---r'), {
        c: connectTo(test, three),
        x: () => test.node.drop(),
        l: () => test.link.leaveNode(sessions[0]!),
        r: () => test.link.connector.reconnect(),
      })
      m.flush()
      expect(test.node.dialled).toEqual([A, B, B])
    })()
  })

  it('keeps the connection of a single endpoint, whose fault it reports', () => {
    marbles((m) => {
      const test = createTestLink(m.scheduler)
      const sessions = sessionsOf(test)
      run(m.hot('c----l---------e'), {
        c: connectTo(test, { ...simnet, urls: [A] }),
        l: () => test.link.leaveNode(sessions[0]!),
        e: connectTo(test, both),
      })
      m.flush()
      expect(test.node.dialled).toEqual([A, B])
      expect(sessions).toHaveLength(2)
    })()
  })
})
