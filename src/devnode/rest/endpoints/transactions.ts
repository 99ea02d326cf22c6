import { byAge } from '../cache-ages.js'
import { boolean, integer, listOf, matching, oneOf, orNull, record, text, usually } from '../http/reader.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { get, post, type Route } from '../http/route.js'
import { ageOfBlueScore, type Indexer } from '../indexer.js'
import { blockTimeOf, pickFields, toListed, toTransaction, type Resolution } from '../records/transaction.js'
import type { LedgerTransaction } from '../../ledger/ledger.js'

const MOST_IDS = 1_000
const MOST_BLUE_SCORES = 100n
const MAX_INTEGER = 2n ** 63n

const resolve = usually(oneOf('no', 'light', 'full'), 'no')
const ids = listOf(text)

const searchBody = record({
  transactionIds: usually(orNull(ids), null),
  acceptingBlueScores: usually(orNull(record({ gte: integer, lt: integer })), null),
})

const acceptanceBody = record({ transactionIds: ids })

/** Transactions by id, by blue score, and whether they were accepted. Those of the mempool alone are unknown here. */
export const transactionRoutes: readonly Route[] = [
  get('/transactions/{transaction_id}', {
    inPath: { transaction_id: matching('[a-f0-9]{64}') },
    query: {
      blockHash: usually(orNull(text), null),
      inputs: usually(boolean, true),
      outputs: usually(boolean, true),
      resolve_previous_outpoints: resolve,
    },
    answer({ path, query }, indexer) {
      const found = indexer.transaction(hexOf(path.transaction_id))
      if (found === undefined) throw refuse(404, 'Transaction not found', { 'cache-control': 'public, max-age=3' })
      const { inputs, outputs, resolve_previous_outpoints: resolution } = query
      const told = toTransaction(indexer, found, { inputs, outputs, resolve: resolution })
      const blockHashes = query.blockHash === null ? told.block_hash : [query.blockHash]
      return ok({ ...told, block_hash: blockHashes }, byAge(ageOf(indexer, found)))
    },
  }),

  post('/transactions/search', {
    query: {
      fields: usually(text, ''),
      resolve_previous_outpoints: resolve,
      acceptance: usually(orNull(oneOf('accepted', 'rejected')), null),
    },
    body: searchBody,
    answer({ query, body: { transactionIds, acceptingBlueScores } }, indexer) {
      if (transactionIds !== null && transactionIds.length > MOST_IDS) {
        throw refuse(422, `Too many transaction ids. Max ${MOST_IDS}`)
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
    answer({ body }, indexer) {
      if (body.transactionIds.length > MOST_IDS) throw refuse(422, `Too many transaction ids. Max ${MOST_IDS}`)
      return ok(body.transactionIds.map((id) => acceptanceOf(indexer, id)))
    },
  }),
]

/** What is sent beside hex makes the server fail; hex of any even length is looked for, and upper case is found as well. */
function hexOf(id: string): string {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(id)) throw internalError()
  return id.toLowerCase()
}

type Acceptance = 'accepted' | 'rejected' | null

function findByIds(indexer: Indexer, asked: readonly string[], acceptance: Acceptance): readonly LedgerTransaction[] {
  const distinct = [...new Set(asked.map(hexOf))]
  const found = distinct.flatMap((id) => indexer.transaction(id) ?? [])
  if (acceptance === null) return found
  return found.filter(({ acceptingBlockHash }) => (acceptingBlockHash !== undefined) === (acceptance === 'accepted'))
}

function findByScores(indexer: Indexer, { gte, lt }: { readonly gte: bigint; readonly lt: bigint }) {
  if (lt - gte > MOST_BLUE_SCORES) throw refuse(400, 'Diff between acceptingBlueScores.gte and lt must be <= 100')
  if (gte >= MAX_INTEGER || lt >= MAX_INTEGER) throw internalError()
  const accepted = indexer.memory.between(Number(gte), Number(lt))
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

/** Since acceptance as blue scores tell, else since it came into a block, in ms. */
function ageOf(indexer: Indexer, found: LedgerTransaction): number {
  const accepting = found.acceptingBlockHash === undefined ? undefined : indexer.block(found.acceptingBlockHash)
  if (accepting === undefined) return indexer.now - blockTimeOf(indexer, found)
  return ageOfBlueScore(indexer, Number(accepting.header.blueScore))
}
