import { NEVER, map, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { createSubscriptionMethods, type SubscriptionMethods } from '../../src/streams/subscription-methods.js'
import { marbles } from '../marbles.js'
import { createTestLink, run, type TestLink } from './link.js'
import { ALICE, BOB } from './utxos/utxo-fixtures.js'

type Marbles = Parameters<Parameters<typeof marbles>[0]>[0]

interface Harness extends TestLink {
  readonly methods: SubscriptionMethods
}

/** The outcomes of the calls, after virtual time has passed. */
async function outcomesOf(
  act: (harness: Harness, m: Marbles) => Record<string, () => Promise<void>>,
): Promise<string[]> {
  const promises: Promise<string>[] = []
  marbles((m) => {
    const harness = createTestLink(m.scheduler)
    const actions = act({ ...harness, methods: createSubscriptionMethods(harness.link).methods }, m)
    const recorded = Object.entries(actions).map(([letter, action]) => [
      letter,
      () => promises.push(toOutcome(action())),
    ])
    run(m.hot('a---b---c'), { ...(Object.fromEntries(recorded) as Record<string, () => unknown>) })
    m.flush()
  })()
  return Promise.all(promises)
}

const toOutcome = (promise: Promise<void>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (error instanceof ChainError ? error.code : 'another error'),
  )

const refusal = new ChainRpcError('subscribe', new Error('not today'), { code: 'remote' })

describe('a subscribe method', () => {
  it('resolves once the node has placed the scope', async () => {
    let placed = 0
    const outcomes = await outcomesOf(({ node, connect, methods, link }, m) => {
      node.respond('subscribe', () => timer(100, m.scheduler).pipe(map(() => ({ id: 1n }))))
      link.placed$.subscribe(({ scopes }) => (placed = Math.max(placed, scopes.size)))
      connect()
      return { b: () => methods.subscribeBlockAdded().then(() => expect(placed).toBe(1)) }
    })
    expect(outcomes).toEqual(['resolved'])
  })

  it('resolves at once without a connection: the next one places the scope', async () => {
    const outcomes = await outcomesOf(({ methods }) => ({ a: () => methods.subscribeBlockAdded() }))
    expect(outcomes).toEqual(['resolved'])
  })

  it("rejects with the node's refusal", async () => {
    const outcomes = await outcomesOf(({ node, connect, methods }) => {
      node.respond('subscribe', () => throwError(() => refusal))
      connect()
      return { b: () => methods.subscribeVirtualChainChanged(true) }
    })
    expect(outcomes).toEqual(['remote'])
  })

  it('resolves when the connection is lost, and rejects when the engine is disposed', async () => {
    const outcomes = await outcomesOf(({ node, link, connect, methods }) => {
      node.respond('subscribe', () => NEVER)
      connect()
      return {
        a: () => methods.subscribeBlockAdded(),
        b: () => {
          node.drop()
          return methods.subscribeNewBlockTemplate()
        },
        c: () => {
          link.dispose()
          return methods.subscribeFinalityConflict()
        },
      }
    })
    expect(outcomes).toEqual(['resolved', 'resolved', 'disposed'])
  })

  it('resolves when unsubscribed before the request was sent', async () => {
    const outcomes = await outcomesOf(({ node, connect, methods }, m) => {
      node.respond('subscribe', () => timer(900, m.scheduler).pipe(map(() => ({ id: 1n }))))
      connect()
      return {
        a: () => methods.subscribeBlockAdded(),
        b: () => methods.subscribeFinalityConflict(),
        c: async () => {
          const subscribed = methods.subscribeNewBlockTemplate() // queued behind the others for longer than the linger
          await methods.unsubscribeNewBlockTemplate()
          await subscribed
        },
      }
    })
    expect(outcomes).toEqual(['resolved', 'resolved', 'resolved'])
  })

  it('rejects addresses of another network, and tracks none of the call', async () => {
    let watched: unknown
    const foreign = 'kaspa:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszu8g5qjdh'
    const outcomes = await outcomesOf(({ node, connect, methods }) => {
      connect()
      return {
        a: () => methods.subscribeUtxosChanged([ALICE, foreign]),
        b: () => methods.subscribeUtxosChanged([`${ALICE}q`]),
        c: () => {
          watched = node.sockets[0]?.subscriptions.addresses
          return methods.subscribeUtxosChanged([ALICE, BOB])
        },
      }
    })
    expect(outcomes).toEqual(['invalid-argument', 'invalid-argument', 'resolved'])
    expect(watched).toEqual([])
  })
})

describe('a pair of methods', () => {
  it.each([
    'BlockAdded',
    'FinalityConflict',
    'FinalityConflictResolved',
    'SinkBlueScoreChanged',
    'VirtualDaaScoreChanged',
    'DaaScore',
    'PruningPointUtxoSetOverride',
    'NewBlockTemplate',
  ] as const)('%s counts calls: the node receives the first subscribe and the last unsubscribe', (name) => {
    marbles((m) => {
      const { node, link, connect } = createTestLink(m.scheduler)
      const { methods } = createSubscriptionMethods(link)
      const actions = { c: connect, s: methods[`subscribe${name}`], u: methods[`unsubscribe${name}`] }
      run(m.hot('c-s-s-u 2s u-u'), actions)
      m.flush()
      const calledMethods = node.calls.map(({ method }) => method).filter((method) => method.endsWith('subscribe'))
      expect(calledMethods).toEqual(['subscribe', 'unsubscribe'])
    })()
  })

  it('counts each address: one subscribed twice and unsubscribed once is still tracked', () => {
    marbles((m) => {
      const { node, link, connect } = createTestLink(m.scheduler)
      const { methods } = createSubscriptionMethods(link)
      const actions = {
        c: connect,
        s: () => methods.subscribeUtxosChanged([ALICE]),
        t: () => methods.subscribeUtxosChanged([ALICE, BOB]),
        u: () => methods.unsubscribeUtxosChanged([ALICE, BOB]),
      }
      run(m.hot('c-s-t-u'), actions)
      m.flush()
      expect(node.sockets[0]?.subscriptions.addresses).toEqual([ALICE])
    })()
  })
})
