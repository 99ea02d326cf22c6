import { byAge } from '../period.js'
import { boolean, integer, listOf, matching, oneOf, orNull, record, text, withDefault } from '../http/reader.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { get, post, type Route } from '../http/route.js'
import { ageOfBlueScore, type Indexer } from '../indexer.js'
import { blockTimeOf, pickFields, toListed, toTransaction, type Resolution } from '../records/transaction.js'
import type { LedgerTransaction } from '../../ledger/ledger.js'

const MAX_IDS = 1_000
const MAX_BLUE_SCORES = 100n
const MAX_INTEGER = 2n ** 63n

const resolve = withDefault(oneOf('no', 'light', 'full'), 'no')
const ids = listOf(text)

const searchBody = record({
  transactionIds: withDefault(orNull(ids), null),
  acceptingBlueScores: withDefault(orNull(record({ gte: integer, lt: integer })), null),
})

const acceptanceBody = record({ transactionIds: ids })

/**
 * Transactions by id and by blue score, and their acceptance. Transactions that are only in the mempool are unknown.
 */
export const transactionRoutes: readonly Route[] = [
  get('/transactions/{transaction_id}', {
    pathParams: { transaction_id: matching('[a-f0-9]{64}') },
    query: {
      blockHash: withDefault(orNull(text), null),
      inputs: withDefault(boolean, true),
      outputs: withDefault(boolean, true),
      resolve_previous_outpoints: resolve,
    },
    handle({ path, query }, indexer) {
      const found = indexer.transaction(hexOf(path.transaction_id))
      if (found === undefined) throw refuse(404, 'Transaction not found', { 'cache-control': 'public, max-age=3' })
      const { inputs, outputs, resolve_previous_outpoints: resolution } = query
      const record = toTransaction(indexer, found, { inputs, outputs, resolve: resolution })
      const blockHashes = query.blockHash === null ? record.block_hash : [query.blockHash]
      return ok({ ...record, block_hash: blockHashes }, byAge(ageOf(indexer, found)))
    },
  }),

  post('/transactions/search', {
    query: {
      fields: withDefault(text, ''),
      resolve_previous_outpoints: resolve,
      acceptance: withDefault(orNull(oneOf('accepted', 'rejected')), null),
    },
    body: searchBody,
    handle({ query, body: { transactionIds, acceptingBlueScores } }, indexer) {
      if (transactionIds !== null && transactionIds.length > MAX_IDS) {
        throw refuse(422, `Too many transaction ids. Max ${MAX_IDS}`)
      }
      if ((transactionIds?.length ?? 0) > 0 && acceptingBlueScores !== null) {
        throw refuse(422, 'Only one of transactionIds and acceptingBlueScores must be non-null')
      }
      const byScore = acceptingBlueScores?.gte === 0n ? null : acceptingBlueScores
      const found =
        byScore === null ? findByIds(indexer, transactionIds ?? [], query.acceptance) : findByScores(indexer, byScore)
      return ok(pickFields(toSorted(indexer, found, query.resolve_previous_outpoints), query.fields))
    },
  }),

  post('/transactions/acceptance', {
    body: acceptanceBody,
    strict: true,
    handle({ body }, indexer) {
      if (body.transactionIds.length > MAX_IDS) throw refuse(422, `Too many transaction ids. Max ${MAX_IDS}`)
      return ok(body.transactionIds.map((id) => acceptanceOf(indexer, id)))
    },
  }),
]

/** Invalid hex makes the server fail; hex of any even length is looked up, in either case. */
function hexOf(id: string): string {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(id)) throw internalError()
  return id.toLowerCase()
}

type Acceptance = 'accepted' | 'rejected' | null

function findByIds(
  indexer: Indexer,
  requestedIds: readonly string[],
  acceptance: Acceptance,
): readonly LedgerTransaction[] {
  const distinct = [...new Set(requestedIds.map(hexOf))]
  const found = distinct.flatMap((id) => indexer.transaction(id) ?? [])
  if (acceptance === null) return found
  return found.filter(({ acceptingBlockHash }) => (acceptingBlockHash !== undefined) === (acceptance === 'accepted'))
}

function findByScores(indexer: Indexer, { gte, lt }: { readonly gte: bigint; readonly lt: bigint }) {
  if (lt - gte > MAX_BLUE_SCORES) throw refuse(400, 'Diff between acceptingBlueScores.gte and lt must be <= 100')
  if (gte >= MAX_INTEGER || lt >= MAX_INTEGER) throw internalError()
  const accepted = indexer.chainIndex.between(Number(gte), Number(lt))
  return accepted.flatMap(({ transactionIds }) => transactionIds.flatMap((id) => indexer.transaction(id) ?? []))
}

function toSorted(indexer: Indexer, found: readonly LedgerTransaction[], resolution: Resolution) {
  const rows = found.map((transaction) =>
    toListed(indexer, transaction, { inputs: true, outputs: true, resolve: resolution }),
  )
  return rows.sort((left, right) => right.block_time - left.block_time)
}

function acceptanceOf(indexer: Indexer, id: string) {
  hexOf(id)
  const hash = indexer.transaction(id)?.acceptingBlockHash
  const block = hash === undefined ? undefined : indexer.block(hash)
  return {
    transactionId: id,
    accepted: hash !== undefined,
    acceptingBlockHash: hash ?? null,
    acceptingBlueScore: block === undefined ? null : Number(block.header.blueScore),
    acceptingTimestamp: block === undefined ? null : Number(block.header.timestamp),
  }
}

/** Milliseconds since acceptance, estimated by blue score; if not accepted, since its first block. */
function ageOf(indexer: Indexer, found: LedgerTransaction): number {
  const accepting = found.acceptingBlockHash === undefined ? undefined : indexer.block(found.acceptingBlockHash)
  if (accepting === undefined) return indexer.now - blockTimeOf(indexer, found)
  return ageOfBlueScore(indexer, Number(accepting.header.blueScore))
}
