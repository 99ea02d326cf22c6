import { isCoinbase } from '../../../model/mass.js'
import type { LedgerTransaction } from '../../ledger/ledger.js'
import { byAge } from '../cache-ages.js'
import { between, boolean, integer, text, withDefault } from '../http/reader.js'
import { ok, refuse } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import { ageOfBlueScore, type Indexer } from '../indexer.js'
import { describeScript } from '../records/script.js'

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
