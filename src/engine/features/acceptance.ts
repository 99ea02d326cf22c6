import { createAcceptedHistory, type AcceptedHistory } from '../../streams/acceptance/accepted-history.js'
import { createAcceptance, type AcceptanceStreams } from '../../streams/acceptance/acceptance.js'
import type { AcceptedHistoryOptions } from '../../streams/acceptance/change.js'
import { createSenders } from '../../streams/acceptance/senders.js'
import type { ChainCore } from '../core.js'

/** What the virtual chain accepts: change by change, and as lists of the newest. */
export interface Acceptance extends AcceptanceStreams {
  /** A list for one listener. */
  readonly history: (options?: AcceptedHistoryOptions) => AcceptedHistory
}

export function acceptance(core: ChainCore): Acceptance {
  const streams = createAcceptance(core)
  const senders = createSenders({ ...core, state: streams.state })
  return {
    ...streams,
    history: (options = {}) => createAcceptedHistory(options, { ...core, ...streams, ...senders }),
  }
}
