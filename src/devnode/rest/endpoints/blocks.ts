import type { RpcBlock } from '../../../node/messages/records.js'
import { byAge } from '../period.js'
import { boolean, integer, matching, orNull, withDefault, between, text } from '../http/reader.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import { ageOfBlueScore, type Indexer } from '../indexer.js'
import { NO_EXTRA, minerOf, toBlock } from '../records/block.js'
import { isCoinbase } from '../../../model/mass.js'
import type { LedgerTransaction } from '../../ledger/ledger.js'
import { describeScript } from '../records/transaction.js'

const HASH = '[a-f0-9]{64}'
const FROM_DATABASE = { 'x-data-source': 'Database' }
const MAX_INTEGER = 2n ** 63n

const score = withDefault(orNull(integer), null)

/** Blocks by hash and by blue score. */
export const blockRoutes: readonly Route[] = [
  get('/blocks/{blockId}', {
    pathParams: { blockId: matching(HASH) },
    query: { includeTransactions: withDefault(boolean, true), includeColor: withDefault(boolean, false) },
    handle({ path, query: { includeTransactions, includeColor } }, indexer) {
      const block = indexer.block(hashOf(path.blockId), includeTransactions)
      if (block === undefined) throw refuse(404, 'Block not found')
      const color = includeColor ? colorOf(indexer, block) : null
      const extra = { ...NO_EXTRA, color, ...(includeTransactions && minerOf(indexer, block)) }
      const record = toBlock(indexer, block, { transactions: includeTransactions ? 'list' : 'null', extra })
      return ok(record, byAge(ageOf(indexer, block)))
    },
  }),

  /** An error of the node becomes two empty lists. */
  get('/blocks', {
    query: {
      lowHash: matching(HASH),
      includeBlocks: withDefault(boolean, false),
      includeTransactions: withDefault(boolean, false),
    },
    handle({ query: { lowHash, includeBlocks, includeTransactions } }, indexer) {
      const isHash = lowHash.length === 64
      const result = indexer.tryCall('getBlocks', { lowHash, includeBlocks, includeTransactions })
      if (!isHash || !result.ok) return ok({ blockHashes: [], blocks: [] }, 3)
      const blocks = result.value.blocks.map((block) => toBlock(indexer, block, { transactions: 'list', extra: null }))
      return ok({ blockHashes: result.value.blockHashes, blocks }, 3)
    },
  }),

  get('/blocks-from-bluescore', {
    query: {
      blueScore: score,
      blueScoreGte: score,
      blueScoreLt: score,
      includeTransactions: withDefault(boolean, false),
    },
    handle({ query }, indexer) {
      const found = findScore(indexer, query)
      if (found === undefined) return ok([], 8, FROM_DATABASE)
      const blocks = indexer.chainIndex
        .hashesAt(found)
        .flatMap((hash) => indexer.block(hash, query.includeTransactions) ?? [])
      const transactions = query.includeTransactions ? 'list' : 'null'
      const records = blocks.map((block) => toBlock(indexer, block, { transactions, extra: NO_EXTRA }))
      return ok(records, byAge(ageOfBlueScore(indexer, found)), FROM_DATABASE)
    },
  }),
]

/** The node reads the first 64 digits; an odd number of digits makes the server fail. */
function hashOf(text: string): string {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw internalError()
  return text.slice(0, 64)
}

/**
 * Blue for every chain block, the tip included. The server cannot distinguish red blocks from blocks that are not
 * merged yet.
 */
function colorOf(indexer: Indexer, { header: { hash }, verboseData }: RpcBlock): 'blue' | null {
  if (verboseData?.isChainBlock === true) return 'blue'
  const result = indexer.tryCall('getCurrentBlockColor', { hash })
  return result.ok && result.value.blue ? 'blue' : null
}

/** The server reads a blue score of 0 as missing, and takes the time of genesis. */
const ageOf = (indexer: Indexer, { header: { blueScore, timestamp } }: RpcBlock): number =>
  blueScore === 0n ? indexer.now - Number(timestamp) : ageOfBlueScore(indexer, Number(blueScore))

interface Scores {
  readonly blueScore: bigint | null
  readonly blueScoreGte: bigint | null
  readonly blueScoreLt: bigint | null
}

function findScore({ chainIndex }: Indexer, { blueScore, blueScoreGte, blueScoreLt }: Scores): number | undefined {
  const given = [blueScore, blueScoreGte, blueScoreLt].filter((value) => value !== null)
  if (given.length !== 1) throw refuse(400, 'Exactly one of blueScore, blueScoreGte, or blueScoreLt must be provided')
  if (given.some((value) => value >= MAX_INTEGER)) throw internalError()
  const scores = chainIndex.blueScores()
  if (blueScore !== null) return scores.find((candidate) => BigInt(candidate) === blueScore)
  if (blueScoreGte !== null) return scores.find((candidate) => BigInt(candidate) >= blueScoreGte)
  return scores.filter((candidate) => BigInt(candidate) < (blueScoreLt ?? 0n)).at(-1)
}

const LIMITS = [10, 100]

/** Chain blocks and their accepted transactions. */
export const virtualChainRoutes: readonly Route[] = [
  get('/virtual-chain', {
    query: {
      blueScoreGte: between(0),
      limit: withDefault(integer, 10n),
      resolveInputs: withDefault(boolean, false),
      includeCoinbase: withDefault(boolean, true),
    },
    strict: true,
    handle({ query: { blueScoreGte, limit: requestedLimit, resolveInputs, includeCoinbase } }, indexer) {
      const limit = Number(requestedLimit)
      if (!LIMITS.includes(limit)) throw refuse(400, "'limit' must be in [10, 100]")
      if (blueScoreGte % limit !== 0) throw refuse(400, `'blueScoreGte' must be divisible by limit (${limit})`)
      const blocks = indexer.chainIndex.between(blueScoreGte, blueScoreGte + limit).map((entry) => ({
        hash: entry.hash,
        blue_score: entry.blueScore,
        daa_score: entry.daaScore,
        timestamp: entry.timestamp,
        transactions: entry.transactionIds
          .flatMap((id) => indexer.transaction(id) ?? [])
          .filter(({ transaction }) => includeCoinbase || !isCoinbase(transaction))
          .map((transaction) => toAccepted(indexer, transaction, resolveInputs)),
      }))
      const nonEmpty = blocks.filter(({ transactions }) => transactions.length > 0)
      return ok(nonEmpty, byAge(ageOfBlueScore(indexer, blueScoreGte)))
    },
  }),

  get('/info/get-vscp-from-block', {
    query: { startHash: text, includeAcceptedTransactionIds: withDefault(boolean, true) },
    handle({ query }, indexer) {
      const result = indexer.tryCall('getVirtualChainFromBlock', query)
      return ok(result.ok ? result.value : NO_CHANGES)
    },
  }),
]

/** The server's response for a block that the node does not have. */
const NO_CHANGES = { removedChainBlockHashes: [], addedChainBlockHashes: [], acceptedTransactionIds: [] }

/** Unknown fields are omitted. */
function toAccepted(
  { network }: Indexer,
  { transaction, transactionId, spent }: LedgerTransaction,
  resolveInputs: boolean,
) {
  const inputs = transaction.inputs.map(({ previousOutpoint, signatureScript }, at) => ({
    previous_outpoint_hash: previousOutpoint.transactionId,
    previous_outpoint_index: previousOutpoint.index,
    signature_script: signatureScript,
    ...(resolveInputs && toResolved(network.addressPrefix, spent[at])),
  }))
  return {
    transaction_id: transactionId,
    is_accepted: true,
    inputs: isCoinbase(transaction) ? undefined : inputs,
    outputs: transaction.outputs.map(({ value, scriptPublicKey }) => ({
      script_public_key: scriptPublicKey.script,
      script_public_key_address: describeScript(scriptPublicKey, network.addressPrefix).address,
      amount: value,
    })),
  }
}

function toResolved(prefix: Indexer['network']['addressPrefix'], spent: LedgerTransaction['spent'][number]) {
  return {
    previous_outpoint_script: spent?.scriptPublicKey.script,
    previous_outpoint_address: spent && describeScript(spent.scriptPublicKey, prefix).address,
    previous_outpoint_amount: spent?.amount,
  }
}
