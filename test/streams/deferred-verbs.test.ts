import { of, Subscription } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { NotificationScope } from '../../src/node/messages/records.js'
import { deferScopeVerbs } from '../../src/streams/deferred-verbs.js'
import { createScopeVerbs, type ScopeVerbsDeps } from '../../src/streams/scope-verbs.js'

/** What a node without a connection is wanted to tell, by type, while it is wanted. */
function createWanting(): ScopeVerbsDeps & { readonly wanted: string[] } {
  const wanted: string[] = []
  const want = ({ type }: NotificationScope): Subscription => {
    wanted.push(type)
    return new Subscription(() => wanted.splice(wanted.indexOf(type), 1))
  }
  const placed$ = of({ scopes: new Map(), addresses: new Set<string>(), refused: new Map() }) as never
  return { want, wanted, session$: of(null), placed$, network: () => 'simnet' }
}

describe('the subscribing verbs, before they have been fetched', () => {
  it('are all there', () => {
    const names = Object.keys(createScopeVerbs(createWanting()).verbs)
    expect(Object.keys(deferScopeVerbs(createWanting()).verbs).sort()).toEqual(names.sort())
  })

  it('keep their order: what is taken back at once is not wanted', async () => {
    const node = createWanting()
    const { verbs } = deferScopeVerbs(node)
    await Promise.all([verbs.subscribeBlockAdded(), verbs.unsubscribeBlockAdded(), verbs.subscribeDaaScore()])
    expect(node.wanted).toEqual(['virtual-daa-score-changed'])
  })

  it('want nothing for a listener that has gone meanwhile', async () => {
    const node = createWanting()
    const { verbs, placed } = deferScopeVerbs(node)
    const subscribed = verbs.subscribeBlockAdded()
    placed.unsubscribe()
    await subscribed
    expect(node.wanted).toEqual([])
  })
})
