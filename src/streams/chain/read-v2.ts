import type { RpcAcceptingBlock } from '../../node/messages/records.js'
import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import { malformed } from './header.js'
import type { ChainSegment, ScoredBlock } from './page.js'
import type { FollowScope } from './scope.js'
import { idOf, toTransaction } from './to-transaction.js'
import type { ChainDetail } from './options.js'
import type { FollowedTransaction } from './page.js'

type AcceptedRecord = RpcAcceptingBlock['acceptedTransactions'][number]

const METHOD = 'getVirtualChainFromBlockV2'

/** The verbosity that fills in what a detail needs. The transaction version is part of Full only. */
const VERBOSITY = { ids: 'Low', full: 'Full' } as const

const READERS: Readonly<Record<ChainDetail, (record: AcceptedRecord) => FollowedTransaction>> = {
  ids: (record) => ({ id: idOf(record) }),
  full: toTransaction,
}

/** The chain after a block, from a node of 1.1 or later, without blocks of `minConfirmationCount` or fewer. */
export async function readV2(
  { call }: Pick<FollowScope, 'call'>,
  start: LocatorEntry,
  minConfirmationCount: bigint,
  detail: ChainDetail,
): Promise<Omit<ChainSegment<FollowedTransaction>, 'isCut'>> {
  const request = { startHash: start.hash, dataVerbosityLevel: VERBOSITY[detail], minConfirmationCount }
  const response = await call(METHOD, request)
  const { addedChainBlockHashes: added, chainBlockAcceptedTransactions: records } = response
  if (added.length !== records.length) throw malformed(METHOD, 'blocks and transactions differ in number')
  const read = READERS[detail]
  return {
    removed: response.removedChainBlockHashes,
    blocks: records.map((record, at) => toBlock(record, added[at], read)),
  }
}

function toBlock(
  { chainBlockHeader: { hash, blueScore, blueWork, daaScore, timestamp }, acceptedTransactions }: RpcAcceptingBlock,
  expected: string | undefined,
  read: (record: AcceptedRecord) => FollowedTransaction,
): ScoredBlock<FollowedTransaction> {
  if (hash === undefined || hash !== expected) throw malformed(METHOD, 'blocks and transactions differ in order')
  if (blueScore === undefined || blueWork === undefined || daaScore === undefined || timestamp === undefined)
    throw malformed(METHOD, 'a header is incomplete')
  return {
    hash,
    blueScore,
    blueWork,
    daaScore,
    timestamp: Number(timestamp),
    transactions: acceptedTransactions.map(read),
  }
}
