import type { Observable } from 'rxjs'
import { createAcceptedHistory, type AcceptedHistory } from '../../streams/acceptance/accepted-history.js'
import {
  createAcceptance,
  type AcceptanceStreams,
  type AcceptedHistoryOptions,
  type Gap,
} from '../../streams/acceptance/acceptance.js'
import {
  createAcceptedTransactions,
  type AcceptedTransactions,
  deferSenders,
} from '../../streams/acceptance/accepted-transactions.js'
import type { Placement } from '../../streams/placement.js'
import { type ChainCore, partsOf } from '../core-parts.js'
import { recordGaps } from '../record-gaps.js'

/** Accepted transactions: as changes, and as lists of the newest. */
export interface Acceptance {
  readonly accepted$: AcceptedTransactions
  /**
   * What is missing from `accepted$`, emitted once the block after the gap is known and before its changes. Hot and
   * shared; replays nothing, never errors, completes with the engine; sends no requests.
   */
  readonly gaps$: Observable<Gap>
  /** A list for one consumer. Throws `ChainError` (`invalid-argument`) for an invalid `maxHistory`. */
  readonly history: (options?: AcceptedHistoryOptions) => AcceptedHistory
  /** Whether the virtual chain is subscribed at the node. */
  readonly placement: Placement
}

/** The same, with the streams that other features use. */
export interface AcceptanceFeature extends AcceptanceStreams, Acceptance {}

export function acceptance(core: ChainCore): AcceptanceFeature {
  const parts = partsOf(core)
  const streams = createAcceptance(parts)
  recordGaps(parts, streams.gaps$)
  const senders = deferSenders({ ...parts, chains: streams.chains })
  const deps = { ...parts, ...streams, ...senders }
  return {
    ...streams,
    accepted$: createAcceptedTransactions(deps),
    history: (options = {}) => createAcceptedHistory(options, deps),
  }
}

/** The same for apps. */
export const publicAcceptance = (core: ChainCore): Acceptance => acceptance(core)
