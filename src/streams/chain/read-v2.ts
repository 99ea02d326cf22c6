import { type AcceptedIds, type ChainIds, malformed } from '../../node/port.js'
import type { RpcAcceptingBlock, RpcResponse } from '../../node/messages/records.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { ChainTransaction } from './batch.js'
import { toHeader } from './header.js'
import type { ChainSegment, FollowedTransactions, ScoredBlock } from './page.js'
import { loadContractDetails } from './load-contract-details.js'
import type { ChainDetail } from './options.js'
import type { PageRequests } from './page-requests.js'
import { idOf, toTransaction } from './to-transaction.js'
import type { AddressOfScript } from './address-of-script.js'
import type { FollowSettings } from './settings.js'

const METHOD = 'getVirtualChainFromBlockV2'

type Page = RpcResponse<typeof METHOD>
type Segment<Transactions> = Omit<ChainSegment<Transactions>, 'isCut'>

/** The chain after a block, from a node of 1.1 or later, without blocks of `minConfirmationCount` or fewer. */
export async function readV2(
  scope: PageRequests,
  start: LocatorEntry,
  minConfirmationCount: bigint,
  { detail, addressOf }: Pick<FollowSettings, 'detail' | 'addressOf'>,
): Promise<Segment<FollowedTransactions>> {
  const range = { startHash: start.hash, minConfirmationCount }
  return detail === 'ids' ? readIds(scope, range) : readFull(scope, range, await transactionReader(detail, addressOf))
}

interface Range {
  readonly startHash: string
  readonly minConfirmationCount: bigint
}

type AcceptedRecord = RpcAcceptingBlock['acceptedTransactions'][number]

/** What a detail keeps of a record. The code of contracts is loaded for them. */
async function transactionReader(
  detail: ChainDetail,
  addressOf: AddressOfScript,
): Promise<(record: AcceptedRecord) => ChainTransaction> {
  const read = (record: AcceptedRecord): ChainTransaction => toTransaction(record, addressOf)
  if (detail !== 'contracts') return read
  const { withContractDetails } = await loadContractDetails()
  return (record) => withContractDetails(read(record), record)
}

/** Verbosity Low fills in what an id needs; Full also the version of a transaction. */
async function readFull(
  { fetchChainBlocks }: Pick<PageRequests, 'fetchChainBlocks'>,
  range: Range,
  read: (record: AcceptedRecord) => ChainTransaction,
): Promise<Segment<readonly ChainTransaction[]>> {
  const page = await fetchChainBlocks({ ...range, dataVerbosityLevel: 'Full' }, (record) =>
    withTransactions(
      record.chainBlockHeader,
      record.acceptedTransactions.map((transaction) => read(transaction)),
    ),
  )
  return toSegment(page, page.blocks)
}

async function readIds(
  { fetchChainIds }: Pick<PageRequests, 'fetchChainIds'>,
  range: Range,
): Promise<Segment<TransactionIds>> {
  const response = await fetchChainIds({ ...range, dataVerbosityLevel: 'Low' })
  const blocks = 'blocks' in response ? response.blocks : response.chainBlockAcceptedTransactions.map(toIds)
  return toSegment(
    response,
    blocks.map(({ header, transactionIds }) => withTransactions(header, transactionIds)),
  )
}

const toIds = ({ chainBlockHeader, acceptedTransactions }: RpcAcceptingBlock): AcceptedIds => ({
  header: chainBlockHeader,
  transactionIds: new TransactionIds(acceptedTransactions.map(idOf)),
})

function toSegment<Transactions>(
  {
    removedChainBlockHashes,
    addedChainBlockHashes: added,
  }: Pick<Page & ChainIds, 'removedChainBlockHashes' | 'addedChainBlockHashes'>,
  blocks: readonly ScoredBlock<Transactions>[],
): Segment<Transactions> {
  if (added.length !== blocks.length) throw malformed(METHOD, 'blocks and transactions differ in number')
  if (blocks.some(({ hash }, at) => hash !== added[at]))
    throw malformed(METHOD, 'blocks and transactions differ in order')
  return { removed: removedChainBlockHashes, blocks }
}

function withTransactions<Transactions>(
  header: RpcAcceptingBlock['chainBlockHeader'],
  transactions: Transactions,
): ScoredBlock<Transactions> {
  const { hash, blueScore, blueWork, daaScore, timestamp } = toHeader(METHOD, header)
  return { hash, blueScore, blueWork, daaScore, timestamp, transactions } // a spread costs three times as much
}
