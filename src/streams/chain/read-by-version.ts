import { type AcceptedIds, type ChainIds, malformed } from '../../node/port.js'
import type { RpcAcceptingBlock, RpcResponse, RpcBlock, RpcTransaction } from '../../node/messages/records.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { ChainTransaction } from './batch.js'
import { toHeader, readBlock } from './header.js'
import type { ChainSegment, FollowedTransactions, ScoredBlock } from './reduce-chain.js'
import type { ChainDetail, FollowSettings } from './options.js'
import type { PageRequests } from './node-requests.js'
import { idOf, toTransaction, type AddressOfScript, toUnresolvedTransaction } from './to-transaction.js'
import type { FollowScope } from './scope.js'
import { loadCode } from '../../loading/load-code.js'

const METHOD_V2 = 'getVirtualChainFromBlockV2'

type Page = RpcResponse<typeof METHOD_V2>
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
  if (added.length !== blocks.length) throw malformed(METHOD_V2, 'blocks and transactions differ in number')
  if (blocks.some(({ hash }, at) => hash !== added[at]))
    throw malformed(METHOD_V2, 'blocks and transactions differ in order')
  return { removed: removedChainBlockHashes, blocks }
}

function withTransactions<Transactions>(
  header: RpcAcceptingBlock['chainBlockHeader'],
  transactions: Transactions,
): ScoredBlock<Transactions> {
  const { hash, blueScore, blueWork, daaScore, timestamp } = toHeader(METHOD_V2, header)
  return { hash, blueScore, blueWork, daaScore, timestamp, transactions } // a spread costs three times as much
}

const METHOD_V1 = 'getVirtualChainFromBlock'

/**
 * The first `limit` chain blocks after a block, with the ids of what they accepted; for `full` also the transactions,
 * from the merged blocks and without the spent outputs. For nodes below 1.1, and for a block that accepts a script
 * without an address: a node of 1.1 or later does not return it otherwise.
 */
export async function readV1(
  scope: Pick<FollowScope, 'call'>,
  startHash: string,
  limit: number,
  { detail, addressOf }: Pick<FollowSettings, 'detail' | 'addressOf'>,
  minConfirmationCount?: bigint,
): Promise<ChainSegment<FollowedTransactions>> {
  const response = await scope.call(METHOD_V1, { startHash, includeAcceptedTransactionIds: true, minConfirmationCount })
  const accepted = new Map(
    response.acceptedTransactionIds.map((block) => [block.acceptingBlockHash, block.acceptedTransactionIds]),
  )
  const hashes = response.addedChainBlockHashes.slice(0, limit)
  const blocks = hashes.map(async (hash): Promise<ScoredBlock<FollowedTransactions>> => {
    const ids = accepted.get(hash)
    if (ids === undefined) throw malformed(METHOD_V1, 'a block has no accepted transactions')
    const { verboseData, ...header } = await readBlock(scope, hash)
    return {
      ...header,
      transactions:
        detail === 'ids' ? new TransactionIds(ids) : await readAccepted(scope, verboseData, ids, { detail, addressOf }),
    }
  })
  return {
    removed: response.removedChainBlockHashes,
    blocks: await Promise.all(blocks),
    isCut: response.addedChainBlockHashes.length > limit,
  }
}

/** The accepted transactions of a chain block, found in the blocks it merged. */
async function readAccepted(
  { call }: Pick<FollowScope, 'call'>,
  { mergeSetBluesHashes, mergeSetRedsHashes }: NonNullable<RpcBlock['verboseData']>,
  ids: readonly string[],
  { detail, addressOf }: Pick<FollowSettings, 'detail' | 'addressOf'>,
): Promise<ChainTransaction[]> {
  const found = new Map<string, RpcTransaction>()
  for (const hash of [...mergeSetBluesHashes, ...mergeSetRedsHashes]) {
    const { block } = await call('getBlock', { hash, includeTransactions: true })
    if (block.header.hash !== hash) throw malformed('getBlock', 'another block was returned')
    for (const [at, id] of (block.verboseData?.transactionIds ?? []).entries()) {
      const transaction = block.transactions[at]
      if (transaction !== undefined && !found.has(id)) found.set(id, transaction)
    }
  }
  const extend = detail === 'contracts' ? (await loadContractDetails()).withContractDetails : undefined
  return ids.map((id) => {
    const record = found.get(id)
    if (record === undefined) throw malformed('getBlock', 'an accepted transaction is in no merged block')
    const transaction = toUnresolvedTransaction(id, record, addressOf)
    return extend?.(transaction, record) ?? transaction
  })
}

/** What `detail: 'contracts'` adds to a transaction. */
const loadContractDetails = () => loadCode(() => import('./contract-details.js'))
