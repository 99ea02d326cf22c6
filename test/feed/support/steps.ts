import { createHash } from 'node:crypto'
import type { FeedStep } from '../../../src/feed/sink.js'
import { encodeAddress } from '../../../src/model/address.js'
import type { AddressPrefix } from '../../../src/model/network.js'
import type { TransferTransaction } from '../../../src/streams/transfers/transfer.js'

/** What each credit of a step pays, in sompi. */
export const AMOUNT = 100_000_000n

/** A step of that many credits, to that many addresses in turn. Its blue score is one above its index. */
export function stepOf(index: number, credits: number, addresses: number): FeedStep {
  const blueScore = BigInt(index + 1)
  return {
    cursor: `cursor ${index}`.padEnd(2_300), // as long as a real one
    blueScore,
    rollback: null,
    transactions: Array.from({ length: credits }, (_, at) => creditOf(index * credits + at, addresses, blueScore)),
    added: [],
    addedAfter: null,
    removed: [],
    ids: new Map(),
    isLive: true,
  }
}

function creditOf(index: number, addresses: number, blueScore: bigint): TransferTransaction {
  const transactionId = createHash('sha256').update(String(index)).digest('hex')
  const transfer = {
    transactionId,
    acceptingBlockHash: transactionId,
    acceptingBlueScore: blueScore,
    address: addressOf(index % addresses),
    direction: 'credit' as const,
    amount: AMOUNT,
    outpoint: { transactionId, index: 0 },
    acceptingDaaScore: blueScore,
    timestamp: 1_790_000_000_000,
    isCoinbase: false,
    isOpening: false,
    isChange: false,
    isInternal: false,
    counterparties: [addressOf(index + 1), addressOf(index + 2)],
  }
  return { transactionId, net: AMOUNT, fee: null, transfers: [transfer] }
}

/** The address of an index, on a test network unless a prefix is given. */
export function addressOf(index: number, prefix: AddressPrefix = 'kaspatest'): string {
  const payload = new Uint8Array(32)
  new DataView(payload.buffer).setUint32(0, index + 1)
  return encodeAddress(prefix, 'PubKey', payload)
}
