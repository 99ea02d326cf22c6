import { Subscription } from 'rxjs'
import type { ChainCore } from '../../src/engine/core.js'
import { feature } from '../../src/engine/feature.js'
import { acceptance } from '../../src/engine/features/acceptance.js'
import { blocks } from '../../src/engine/features/blocks.js'
import { eventLog } from '../../src/engine/features/event-log.js'
import { scores } from '../../src/engine/features/scores.js'
import { utxos } from '../../src/engine/features/utxos.js'

/** How many traces that leaves at a node, once all is placed: the connection, and six subscriptions. */
export const TRACES = 7

/** Listens to everything that a core can tell of some addresses. */
export function listenToAll(core: ChainCore, addresses: readonly string[]): Subscription {
  const { changes$, history } = feature(core, acceptance)
  const { virtualDaaScore$, sinkBlueScore$ } = feature(core, scores)
  const listening = new Subscription()
  listening.add(feature(core, utxos)(addresses).state$.subscribe())
  listening.add(changes$.subscribe())
  listening.add(history({ includeSenderAddresses: true }).state$.subscribe())
  listening.add(feature(core, blocks).history().state$.subscribe())
  listening.add(virtualDaaScore$.subscribe())
  listening.add(sinkBlueScore$.subscribe())
  listening.add(feature(core, eventLog).state$.subscribe())
  return listening
}
