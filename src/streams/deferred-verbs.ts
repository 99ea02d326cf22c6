import { Subscription } from 'rxjs'
import { onceLoaded } from '../loading/once-loaded.js'
import { partFor } from '../loading/part-for.js'
import { PLAIN_SCOPES } from './plain-scopes.js'
import type { ScopeHold, ScopeVerbs, ScopeVerbsDeps } from './scope-verbs.js'

type Verb = (...args: unknown[]) => Promise<void>

/**
 * The verbs of one listener, though how a scope is wanted is fetched with the first call: most apps listen by streams
 * alone. Calls keep their order. A fetch that fails is the call's own failure, `ChainRpcError` (`failed`).
 */
export function deferScopeVerbs(node: ScopeVerbsDeps): ScopeHold {
  const placed = new Subscription()
  const load = onceLoaded(async () => {
    const { createScopeVerbs } = await import('./scope-verbs.js')
    const hold = createScopeVerbs(node)
    placed.add(hold.placed)
    return hold.verbs
  })
  const deferred = verbNames().map((name) => {
    const verb: Verb = async (...args) => ((await partFor(name, load))[name] as Verb)(...args)
    return [name, verb]
  })
  return { placed, verbs: Object.fromEntries(deferred) as ScopeVerbs }
}

const verbNames = (): (keyof ScopeVerbs)[] =>
  [...Object.keys(PLAIN_SCOPES), 'UtxosChanged', 'VirtualChainChanged'].flatMap(
    (scope) => [`subscribe${scope}`, `unsubscribe${scope}`] as (keyof ScopeVerbs)[],
  )
