/** Whether the mempool was read for an address set in this session; `due`: it has to be read, or read again. */
export type MempoolPhase = 'unread' | 'due' | 'read'

/**
 * - `sessionStarted`: another node has another mempool. `requested`: by a poll, a payment or a change of the UTXOs.
 * - `readStarted`: the request is sent. `pollEnded`: no subscriber of the set polls any more.
 */
export type MempoolEvent = 'sessionStarted' | 'requested' | 'readStarted' | 'pollEnded'

/** The next phase; the same where the event has no meaning. */
export function reduceMempoolPhase(phase: MempoolPhase, event: MempoolEvent): MempoolPhase {
  switch (event) {
    case 'sessionStarted':
      return 'unread'
    case 'requested':
      return 'due'
    case 'readStarted':
      return 'read'
    case 'pollEnded':
      return phase === 'due' ? phase : 'unread'
  }
}
