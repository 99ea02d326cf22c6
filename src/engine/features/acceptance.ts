import { createAcceptedHistory, type AcceptedHistory } from '../../streams/acceptance/accepted-history.js'
import { createAcceptance, type AcceptanceStreams } from '../../streams/acceptance/acceptance.js'
import {
  createAcceptedTransactions,
  type AcceptedTransactions,
} from '../../streams/acceptance/accepted-transactions.js'
import type { AcceptedHistoryOptions } from '../../streams/acceptance/change.js'
import { deferSenders } from '../../streams/acceptance/deferred-senders.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'
import { recordGaps } from '../record-gaps.js'

/** Accepted transactions: as changes, and as lists of the newest. */
export interface Acceptance extends AcceptanceStreams {
  readonly accepted$: AcceptedTransactions
  /** A list for one consumer. Throws `ChainError` (`invalid-argument`) for an invalid `maxHistory`. */
  readonly history: (options?: AcceptedHistoryOptions) => AcceptedHistory
}

export function acceptance(core: ChainCore): Acceptance {
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
