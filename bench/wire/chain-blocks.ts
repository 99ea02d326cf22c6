import type { NodeNotification } from '../../src/node/messages/records.js'

/** An endless virtual chain: block n follows block n − 1. */

/** A number as 32 bytes in hex. */
export const chainHash = (number: number): string => number.toString(16).padStart(64, '0')

/** Adds block `number`. Without accepted ids, which the library does not subscribe to. */
export const chainBlock = (number: number): NodeNotification => ({
  type: 'virtual-chain-changed',
  data: { removedChainBlockHashes: [], addedChainBlockHashes: [chainHash(number)], acceptedTransactionIds: [] },
})
