import { byAge } from '../cache-ages.js'
import { boolean, integer, matching, orNull, usually } from '../http/reader.js'
import { internalError, ok, refuse } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import { ageOfBlueScore, type Indexer } from '../indexer.js'
import { NO_EXTRA, minerOf, toBlock } from '../records/block.js'

const HASH = '[a-f0-9]{64}'
const FROM_DATABASE = { 'x-data-source': 'Database' }
const MAX_INTEGER = 2n ** 63n

const score = usually(orNull(integer), null)

/** Blocks by hash and by blue score, as the node tells them. */
export const blockRoutes: readonly Route[] = [
  get('/blocks/{blockId}', {
    inPath: { blockId: matching(HASH) },
    query: { includeTransactions: usually(boolean, true), includeColor: usually(boolean, false) },
    answer({ path, query: { includeTransactions, includeColor } }, indexer) {
      const block = indexer.block(hashOf(path.blockId), includeTransactions)
      if (block === undefined) throw refuse(404, 'Block not found')
      const color = includeColor ? colorOf(indexer, block.header.hash) : null
      const extra = { ...NO_EXTRA, color, ...(includeTransactions && minerOf(indexer, block)) }
      const told = toBlock(indexer, block, { transactions: includeTransactions ? 'list' : 'null', extra })
      return ok(told, byAge(ageOfBlueScore(indexer, Number(block.header.blueScore))))
    },
  }),

  /** Whatever the node objects to is answered with two empty lists. */
  get('/blocks', {
    query: {
      lowHash: matching(HASH),
      includeBlocks: usually(boolean, false),
      includeTransactions: usually(boolean, false),
    },
    answer({ query: { lowHash, includeBlocks, includeTransactions } }, indexer) {
      const isHash = lowHash.length === 64
      const answer = indexer.try('getBlocks', { lowHash, includeBlocks, includeTransactions })
      if (!isHash || !answer.ok) return ok({ blockHashes: [], blocks: [] }, 3)
      const blocks = answer.value.blocks.map((block) => toBlock(indexer, block, { transactions: 'list', extra: null }))
      return ok({ blockHashes: answer.value.blockHashes, blocks }, 3)
    },
  }),

  get('/blocks-from-bluescore', {
    query: { blueScore: score, blueScoreGte: score, blueScoreLt: score, includeTransactions: usually(boolean, false) },
    answer({ query }, indexer) {
      const found = findScore(indexer, query)
      if (found === undefined) return ok([], 8, FROM_DATABASE)
      const blocks = indexer.memory
        .hashesAt(found)
        .flatMap((hash) => indexer.block(hash, query.includeTransactions) ?? [])
      const told = blocks.map((block) => {
        const extra = query.includeTransactions ? { ...NO_EXTRA, ...minerOf(indexer, block) } : NO_EXTRA
        return toBlock(indexer, block, { transactions: query.includeTransactions ? 'list' : 'null', extra })
      })
      return ok(told, byAge(ageOfBlueScore(indexer, found)), FROM_DATABASE)
    },
  }),
]

/** The node takes the first 64 digits for the hash; digits that make no whole byte make the server fail. */
function hashOf(text: string): string {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw internalError()
  return text.slice(0, 64)
}

/** Blocks beside the chain that are red are not told from those that nobody has judged yet. */
function colorOf(indexer: Indexer, hash: string): 'blue' | null {
  const answer = indexer.try('getCurrentBlockColor', { hash })
  return answer.ok && answer.value.blue ? 'blue' : null
}

interface Scores {
  readonly blueScore: bigint | null
  readonly blueScoreGte: bigint | null
  readonly blueScoreLt: bigint | null
}

function findScore({ memory }: Indexer, { blueScore, blueScoreGte, blueScoreLt }: Scores): number | undefined {
  const given = [blueScore, blueScoreGte, blueScoreLt].filter((value) => value !== null)
  if (given.length !== 1) throw refuse(400, 'Exactly one of blueScore, blueScoreGte, or blueScoreLt must be provided')
  if (given.some((value) => value >= MAX_INTEGER)) throw internalError()
  const scores = memory.blueScores()
  if (blueScore !== null) return scores.find((candidate) => BigInt(candidate) === blueScore)
  if (blueScoreGte !== null) return scores.find((candidate) => BigInt(candidate) >= blueScoreGte)
  return scores.filter((candidate) => BigInt(candidate) < (blueScoreLt ?? 0n)).at(-1)
}
