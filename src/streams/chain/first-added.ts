import { filter, type Subscription } from 'rxjs'
import type { NodeLink } from '../session/node-link.js'
import { isOfType } from '../session/events.js'

/** The first chain block that was notified since the recording began. */
export interface FirstAdded {
  /** Undefined for none. */
  readonly hash: () => string | undefined
  readonly recording: Subscription
}

/** Records from now on: a stream must not begin behind a block that was notified to its subscriber. */
export function recordFirstAdded({ received$ }: Pick<NodeLink, 'received$'>): FirstAdded {
  let first: string | undefined
  const added$ = received$.pipe(filter(isOfType('virtual-chain-changed')))
  const recording = added$.subscribe(({ data }) => (first ??= data.addedChainBlockHashes[0]))
  return { hash: () => first, recording }
}
