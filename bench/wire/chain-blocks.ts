import type { NodeNotification } from '../../src/node/messages/records.js'
import type { Responses } from './handshake.js'

/** An endless virtual chain: block n follows block n − 1. */

/** A number as 32 bytes in hex. */
export const chainHash = (number: number): string => number.toString(16).padStart(64, '0')

const SINK = 'aa'.repeat(32)

/** Responses of a node whose sink is the end of its chain. */
export const CHAIN_RESPONSES: Responses = {
  getSink: { sink: SINK },
  getVirtualChainFromBlock: { removedChainBlockHashes: [], addedChainBlockHashes: [], acceptedTransactionIds: [] },
}

/** Another block replaces the sink, so that the position of the next block is known. */
export const firstChainBlock: NodeNotification = toNotification([SINK], 'bb'.repeat(32), [])

/** Adds block `number`, which accepts `count` transactions. */
export const chainBlock = (number: number, count: number): NodeNotification =>
  toNotification(
    [],
    chainHash(number),
    Array.from({ length: count }, (_, n) => chainHash(1_000_000 + count * number + n)),
  )

function toNotification(removed: readonly string[], added: string, accepted: readonly string[]): NodeNotification {
  return {
    type: 'virtual-chain-changed',
    data: {
      removedChainBlockHashes: removed,
      addedChainBlockHashes: [added],
      acceptedTransactionIds: [{ acceptingBlockHash: added, acceptedTransactionIds: accepted }],
    },
  }
}
