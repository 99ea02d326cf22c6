import { deferScopeVerbs } from '../../streams/deferred-verbs.js'
import type { ScopeVerbs } from '../../streams/scope-verbs.js'
import type { ChainCore } from '../core.js'

/** The subscribing verbs of a core's owner; what they place ends with the core. */
export function scopeVerbs(core: ChainCore): ScopeVerbs {
  const { verbs, placed } = deferScopeVerbs(core)
  core.lifetime.add(placed)
  return verbs
}
