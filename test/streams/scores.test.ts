import { of, throwError, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import type { NodeNotification } from '../../src/node/messages/records.js'
import { createScores, type Scores } from '../../src/streams/scores.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import { marbles } from '../marbles.js'
import { createTestLink, run, type TestLink } from './link.js'

type Name = keyof Scores

/** The score that the node reports on request. */
function setScore({ node }: TestLink, name: Name, score: number): void {
  if (name === 'virtualDaaScore$')
    node.respond('getServerInfo', () => fixtures.serverInfo({ virtualDaaScore: BigInt(score) }))
  else node.respond('getSinkBlueScore', () => of({ blueScore: BigInt(score) }))
}

const TYPES = { virtualDaaScore$: 'virtual-daa-score-changed', sinkBlueScore$: 'sink-blue-score-changed' } as const

const notificationOf = (name: Name, score: number): NodeNotification =>
  name === 'virtualDaaScore$'
    ? { type: TYPES[name], data: { virtualDaaScore: BigInt(score) } }
    : { type: TYPES[name], data: { sinkBlueScore: BigInt(score) } }

const scoreOf = ({ link }: TestLink, name: Name): Observable<bigint> => createScores(link)[name]

const SCORES = { 5: 5n, 6: 6n, 7: 7n, 8: 8n }

describe.each(['virtualDaaScore$', 'sinkBlueScore$'] as const)('%s', (name) => {
  it('has the score of a block that comes before the subscription is placed', () => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler)
      setScore(harness, name, 5)
      harness.node.respond('subscribe', () => {
        setScore(harness, name, 6) // a block whose notification is not sent
        return m.cold('--(a|)', { a: { id: 1n } })
      })
      run(m.hot('c'), { c: harness.connect })
      m.expect(scoreOf(harness, name), '^ 50ms !').toBeObservable(name === 'virtualDaaScore$' ? '5-6' : '--6', SCORES)
    })()
  })

  it('has the current score for a subscriber that comes long after the connection', () => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler)
      setScore(harness, name, 5)
      run(m.hot('c 9ms 8'), { c: harness.connect, 8: () => setScore(harness, name, 8) })
      const received: bigint[] = []
      m.scheduler.schedule(() => scoreOf(harness, name).subscribe((score) => received.push(score)), 20)
      m.flush()
      expect(received.at(-1)).toBe(8n)
    })()
  })

  it('is read again once a subscription that was refused at first is placed', () => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler)
      setScore(harness, name, 5)
      const refusal = new ChainRpcError('subscribe', new Error('busy'), { code: 'remote' })
      harness.node.respond('subscribe', () => {
        harness.node.respond('subscribe', () => of({ id: 1n }))
        return throwError(() => refusal)
      })
      run(m.hot('c--6'), { c: harness.connect, 6: () => setScore(harness, name, 6) })
      const received: bigint[] = []
      scoreOf(harness, name).subscribe((score) => received.push(score))
      m.flush()
      expect(received).toEqual([5n, 6n])
    })()
  })

  it('ends with the highest of two notifications that are out of order', () => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler)
      setScore(harness, name, 5)
      const reorder = (): void => {
        setScore(harness, name, 7)
        for (const score of [7, 6]) harness.node.notify(notificationOf(name, score))
      }
      run(m.hot('c--r'), { c: harness.connect, r: reorder })
      const received: bigint[] = []
      scoreOf(harness, name).subscribe((score) => received.push(score))
      m.flush()
      expect(received).toEqual([5n, 7n, 6n, 7n])
    })()
  })

  it('is read again after a malformed notification', () => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler)
      setScore(harness, name, 5)
      const corrupt = (): void => {
        setScore(harness, name, 6)
        harness.node.sockets.at(-1)?.corrupt(TYPES[name])
      }
      run(m.hot('c--x'), { c: harness.connect, x: corrupt })
      const received: bigint[] = []
      scoreOf(harness, name).subscribe((score) => received.push(score))
      m.flush()
      expect(received).toEqual([5n, 6n])
    })()
  })

  it('keeps a score that is notified while an older one is being read', () => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler)
      setScore(harness, name, 5)
      const slowly = (): void => {
        const [method, response] =
          name === 'virtualDaaScore$'
            ? (['getServerInfo', fixtures.serverInfo({ virtualDaaScore: 6n })] as const)
            : (['getSinkBlueScore', { blueScore: 6n }] as const)
        harness.node.respond(method, () => m.cold('---(a|)', { a: response as never }))
        harness.node.sockets.at(-1)?.corrupt(TYPES[name])
      }
      const actions = { c: harness.connect, x: slowly, 7: () => harness.node.notify(notificationOf(name, 7)) }
      run(m.hot('c--x7'), actions)
      m.expect(scoreOf(harness, name), '^ 50ms !').toBeObservable('5---7', SCORES)
    })()
  })
})
