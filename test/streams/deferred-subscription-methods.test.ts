import { of, Subscription } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { NotificationScope } from '../../src/node/messages/records.js'
import { deferSubscriptionMethods } from '../../src/streams/handlers.js'
import { createSubscriptionMethods, type SubscriptionMethodsDeps } from '../../src/streams/subscription-methods.js'

const defer = (node: SubscriptionMethodsDeps) =>
  deferSubscriptionMethods(node, () => Promise.resolve(createSubscriptionMethods))

/** A node without a connection that records the acquired scope types. */
function createNode(): SubscriptionMethodsDeps & { readonly acquired: string[] } {
  const acquired: string[] = []
  const acquire = ({ type }: NotificationScope): Subscription => {
    acquired.push(type)
    return new Subscription(() => acquired.splice(acquired.indexOf(type), 1))
  }
  const placed$ = of({ scopes: new Map(), addresses: new Set<string>(), refused: new Map() }) as never
  return { acquire, acquired, session$: of(null), placed$, network: () => 'simnet' }
}

describe('deferred subscription methods', () => {
  it('include every subscription method', () => {
    const names = Object.keys(createSubscriptionMethods(createNode()).methods)
    expect(Object.keys(defer(createNode()).methods).sort()).toEqual(names.sort())
  })

  it('keep the order of calls: a scope unsubscribed at once is not acquired', async () => {
    const node = createNode()
    const { methods } = defer(node)
    await Promise.all([methods.subscribeBlockAdded(), methods.unsubscribeBlockAdded(), methods.subscribeDaaScore()])
    expect(node.acquired).toEqual(['virtual-daa-score-changed'])
  })

  it('acquire nothing after their teardown', async () => {
    const node = createNode()
    const { methods, teardown } = defer(node)
    const subscribed = methods.subscribeBlockAdded()
    teardown.unsubscribe()
    await subscribed
    expect(node.acquired).toEqual([])
  })
})
