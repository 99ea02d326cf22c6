import { Subscription } from 'rxjs'
import { type CoreParts, feature } from '../../src/engine/core-parts.js'
import { acceptance } from '../../src/engine/features/acceptance.js'
import { blocks } from '../../src/engine/features/blocks.js'
import { eventLog } from '../../src/engine/features/diagnosis.js'
import { scores } from '../../src/engine/features/node.js'
import { utxos } from '../../src/engine/features/utxos.js'

/** Resources at the node once all subscriptions are placed: the connection and six subscriptions. */
export const RESOURCES_AT_NODE = 7

/** Subscribes to every stream of a core, and to the UTXOs of the addresses. */
export function subscribeToAll(core: CoreParts, addresses: readonly string[]): Subscription {
  const { changes$, history } = feature(core, acceptance)
  const { virtualDaaScore$, sinkBlueScore$ } = feature(core, scores)
  const subscription = new Subscription()
  subscription.add(feature(core, utxos)(addresses).state$.subscribe())
  subscription.add(changes$.subscribe())
  subscription.add(history({ includeSenderAddresses: true }).state$.subscribe())
  subscription.add(feature(core, blocks).history().state$.subscribe())
  subscription.add(virtualDaaScore$.subscribe())
  subscription.add(sinkBlueScore$.subscribe())
  subscription.add(feature(core, eventLog).state$.subscribe())
  return subscription
}
