import { map, type SchedulerLike } from 'rxjs'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { silentLogger } from '../../../src/engine/resolve-options.js'
import { toConnectionState } from '../../../src/streams/connection/state.js'
import type { NodeLinkDeps } from '../../../src/streams/session/node-link.js'
import { createScores } from '../../../src/streams/scores.js'
import type { UtxoState } from '../../../src/streams/utxos/view/state.js'
import { createUnconfirmed, type Unconfirmed } from '../../../src/streams/utxos/unconfirmed/unconfirmed.js'
import { createUtxos, type Utxos } from '../../../src/streams/utxos/utxos.js'
import type { marbles } from '../../marbles.js'
import { createTestLink, type TestLink } from '../link.js'

type Context = Parameters<Parameters<typeof marbles>[0]>[0]

export interface TrackerHarness extends TestLink {
  readonly utxos: Utxos
  readonly unconfirmed: Unconfirmed
  /** Sends a `utxos-changed` notification. */
  readonly notifyChange: (removed: UtxoEntry[], added: UtxoEntry[]) => void
  /** Number of calls of a method at the node. */
  readonly callCount: (method: string) => number
}

/** Trackers in virtual time on a scripted node, which responds to `getUtxosByAddresses` after 4 ms. */
export function createHarness(m: Context, utxos: readonly UtxoEntry[]): TrackerHarness {
  const harness = createTrackers(m.scheduler)
  harness.node.respond('getUtxosByAddresses', () => m.cold('----(a|)', { a: { entries: utxos } }))
  return harness
}

/** The same without scripted responses. */
export function createTrackers(scheduler: SchedulerLike, deps?: Partial<NodeLinkDeps>): TrackerHarness {
  const harness = createTestLink(scheduler, deps)
  const { link, node } = harness
  const unconfirmed = createUnconfirmed(link)
  const connection = { state$: link.connector.state$.pipe(map(toConnectionState)) }
  return {
    ...harness,
    unconfirmed,
    utxos: createUtxos({
      ...link,
      ...createScores(link),
      unconfirmed,
      connection,
      logger: silentLogger,
    }),
    notifyChange: (removed, added) => node.notify({ type: 'utxos-changed', data: { removed, added } }),
    callCount: (wanted) => node.calls.filter(({ method }) => method === wanted).length,
  }
}

/** Freshness and mature balance: `fresh 300`. */
export const toText = ({ freshness, balance }: UtxoState): string => `${freshness} ${balance.mature}`
