import { NEVER, map, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { createScopeVerbs, type ScopeVerbs } from '../../src/streams/scope-verbs.js'
import { marbles } from '../marbles.js'
import { createTestLink, run, type TestLink } from './link.js'
import { ALICE, BOB } from './utxos/coins.js'

type Marbles = Parameters<Parameters<typeof marbles>[0]>[0]

interface Scene extends TestLink {
  readonly verbs: ScopeVerbs
}

/** What becomes of what some verbs promise, once virtual time has passed. */
async function outcomesOf(act: (scene: Scene, m: Marbles) => Record<string, () => Promise<void>>): Promise<string[]> {
  const promises: Promise<string>[] = []
  marbles((m) => {
    const scene = createTestLink(m.scheduler)
    const deeds = act({ ...scene, verbs: createScopeVerbs(scene.link).verbs }, m)
    const noted = Object.entries(deeds).map(([letter, deed]) => [letter, () => promises.push(toOutcome(deed()))])
    run(m.hot('a---b---c'), { ...(Object.fromEntries(noted) as Record<string, () => unknown>) })
    m.flush()
  })()
  return Promise.all(promises)
}

const toOutcome = (promise: Promise<void>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (error instanceof ChainRpcError ? error.code : 'another error'),
  )

const refusal = new ChainRpcError('subscribe', new Error('not today'), { code: 'remote' })

describe('a subscribing verb', () => {
  it('resolves once the node has placed it', async () => {
    let placed = 0
    const outcomes = await outcomesOf(({ node, connect, verbs, link }, m) => {
      node.answer('subscribe', () => timer(100, m.scheduler).pipe(map(() => ({ id: 1n }))))
      link.placed$.subscribe(({ scopes }) => (placed = Math.max(placed, scopes.size)))
      connect()
      return { b: () => verbs.subscribeBlockAdded().then(() => expect(placed).toBe(1)) }
    })
    expect(outcomes).toEqual(['resolved'])
  })

  it('resolves at once where there is no connection: it is placed with the next one', async () => {
    const outcomes = await outcomesOf(({ verbs }) => ({ a: () => verbs.subscribeBlockAdded() }))
    expect(outcomes).toEqual(['resolved'])
  })

  it("rejects with the node's refusal", async () => {
    const outcomes = await outcomesOf(({ node, connect, verbs }) => {
      node.answer('subscribe', () => throwError(() => refusal))
      connect()
      return { b: () => verbs.subscribeVirtualChainChanged(true) }
    })
    expect(outcomes).toEqual(['remote'])
  })

  it('is settled by a loss of the connection, and by the end of the engine', async () => {
    const outcomes = await outcomesOf(({ node, link, connect, verbs }) => {
      node.answer('subscribe', () => NEVER)
      connect()
      return {
        a: () => verbs.subscribeBlockAdded(),
        b: () => {
          node.drop()
          return verbs.subscribeNewBlockTemplate()
        },
        c: () => {
          link.dispose()
          return verbs.subscribeFinalityConflict()
        },
      }
    })
    expect(outcomes).toEqual(['resolved', 'resolved', 'resolved'])
  })

  it('is settled even where it is taken back before the node was asked', async () => {
    const outcomes = await outcomesOf(({ node, connect, verbs }, m) => {
      node.answer('subscribe', () => timer(900, m.scheduler).pipe(map(() => ({ id: 1n }))))
      connect()
      return {
        a: () => verbs.subscribeBlockAdded(),
        b: () => verbs.subscribeFinalityConflict(),
        c: async () => {
          const subscribed = verbs.subscribeNewBlockTemplate() // waits behind the others, for longer than the linger
          await verbs.unsubscribeNewBlockTemplate()
          await subscribed
        },
      }
    })
    expect(outcomes).toEqual(['resolved', 'resolved', 'resolved'])
  })

  it('refuses what is no address of the network, and then watches none of them', async () => {
    let watched: unknown
    const foreign = 'kaspa:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszu8g5qjdh'
    const outcomes = await outcomesOf(({ node, connect, verbs }) => {
      connect()
      return {
        a: () => verbs.subscribeUtxosChanged([ALICE, foreign]),
        b: () => verbs.subscribeUtxosChanged([`${ALICE}q`]),
        c: () => {
          watched = node.sockets[0]?.following.addresses
          return verbs.subscribeUtxosChanged([ALICE, BOB])
        },
      }
    })
    expect(outcomes).toEqual(['invalid-argument', 'invalid-argument', 'resolved'])
    expect(watched).toEqual([])
  })
})

describe('a pair of verbs', () => {
  it.each([
    'BlockAdded',
    'FinalityConflict',
    'FinalityConflictResolved',
    'SinkBlueScoreChanged',
    'VirtualDaaScoreChanged',
    'DaaScore',
    'PruningPointUtxoSetOverride',
    'NewBlockTemplate',
  ] as const)('%s counts: the node hears of the first and of the last only', (name) => {
    marbles((m) => {
      const { node, link, connect } = createTestLink(m.scheduler)
      const { verbs } = createScopeVerbs(link)
      const deeds = { c: connect, s: verbs[`subscribe${name}`], u: verbs[`unsubscribe${name}`] }
      run(m.hot('c-s-s-u 2s u-u'), deeds)
      m.flush()
      const asked = node.calls.map(({ method }) => method).filter((method) => method.endsWith('subscribe'))
      expect(asked).toEqual(['subscribe', 'unsubscribe'])
    })()
  })

  it('of addresses counts each: an address subscribed to twice and unsubscribed from once is still watched', () => {
    marbles((m) => {
      const { node, link, connect } = createTestLink(m.scheduler)
      const { verbs } = createScopeVerbs(link)
      const deeds = {
        c: connect,
        s: () => verbs.subscribeUtxosChanged([ALICE]),
        t: () => verbs.subscribeUtxosChanged([ALICE, BOB]),
        u: () => verbs.unsubscribeUtxosChanged([ALICE, BOB]),
      }
      run(m.hot('c-s-t-u'), deeds)
      m.flush()
      expect(node.sockets[0]?.following.addresses).toEqual([ALICE])
    })()
  })
})
