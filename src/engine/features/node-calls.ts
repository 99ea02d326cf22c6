import { withFailedOutcome } from '../../errors/with-outcome.js'
import { lazyMethods } from '../../loading/lazy-methods.js'
import { loadCode } from '../../loading/load-code.js'
import { QUERY_NAMES } from '../../operations/queries/names.js'
import type { RpcQueries } from '../../operations/queries/rpc-queries.js'
import type { ChainCore, CoreParts } from '../core-parts.js'
import { deferSubscriptionMethods } from '../../streams/handlers.js'
import type { OwnedSubscriptions, SubscriptionMethods } from '../../streams/subscription-methods.js'

/** Every query of a core's node. Their code is loaded with the first call. */
export function rpc(core: ChainCore): RpcQueries {
  const load = async (): Promise<RpcQueries> => (await loadCode(() => import('../open-rpc.js'))).openQueries(core)
  return lazyMethods(QUERY_NAMES, load, (name, run) =>
    SUBMISSIONS.includes(name) ? withFailedOutcome('unknown', run) : run(),
  )
}

/** An earlier process may have sent their transaction: without their code, too, nothing proves that none has. */
const SUBMISSIONS: readonly string[] = ['submitTransaction', 'submitTransactionReplacement']

/** Methods that subscribe to notifications; their subscriptions end with the core. */
export function subscriptionMethods(core: CoreParts): SubscriptionMethods {
  const { methods, teardown } = ownedSubscriptionMethods(core)
  core.lifetime.add(teardown)
  return methods
}

/** The same; their subscriptions end with `teardown`. */
export const ownedSubscriptionMethods = (core: CoreParts): OwnedSubscriptions =>
  deferSubscriptionMethods(core, async () => (await loadCode(() => import('../open-rpc.js'))).createSubscriptionMethods)
