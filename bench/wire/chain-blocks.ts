import type { NodeNotification } from '../../src/node/messages/records.js'
import type { Answers } from './greeting.js'

/** A virtual chain without end or meaning: block n follows block n − 1. */

/** 32 bytes that spell a number. */
const hash = (number: number): string => number.toString(16).padStart(64, '0')

const SINK = 'aa'.repeat(32)

/** What a node answers whose chain ends, so far, with its sink. */
export const CHAIN_ANSWERS: Answers = {
  getSink: { sink: SINK },
  getVirtualChainFromBlock: { removedChainBlockHashes: [], addedChainBlockHashes: [], acceptedTransactionIds: [] },
}

/** Another block takes the place of the sink, so that nobody doubts where the next one belongs. */
export const chainBegins: NodeNotification = toNotification([SINK], 'bb'.repeat(32), [])

/** Block `number` joins the chain, and accepts `count` transactions. */
export const chainBlock = (number: number, count: number): NodeNotification =>
  toNotification(
    [],
    hash(number),
    Array.from({ length: count }, (_, n) => hash(1_000_000 + count * number + n)),
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
