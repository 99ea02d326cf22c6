import type { NodeNotification } from '../../src/node/messages/records.js'
import type { Answers } from './greeting.js'

/** A virtual chain without end or meaning: block n follows block n − 1. */

/** 32 bytes that spell a number. */
const hash = (number: number): string => number.toString(16).padStart(64, '0')

/** What a node answers whose chain ends, so far, with block 0. */
export const CHAIN_ANSWERS: Answers = {
  getSink: { sink: hash(0) },
  getVirtualChainFromBlock: { removedChainBlockHashes: [], addedChainBlockHashes: [], acceptedTransactionIds: [] },
}

/** Block `number` joins the chain, and accepts `count` transactions. */
export const chainBlock = (number: number, count: number): NodeNotification => ({
  type: 'virtual-chain-changed',
  data: {
    removedChainBlockHashes: [],
    addedChainBlockHashes: [hash(number)],
    acceptedTransactionIds: [
      {
        acceptingBlockHash: hash(number),
        acceptedTransactionIds: Array.from({ length: count }, (_, n) => hash(1_000_000 + count * number + n)),
      },
    ],
  },
})
