import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { SubmissionKnown } from '../../model/submission-reply.js'
import type { Call } from '../queries/call.js'
import type { TransactionDependencies } from '../transactions/dependencies.js'

/** Complete lookups that do not find a transaction, and the ms between them. */
const LOOKUPS = 5
const LOOKUP_INTERVAL = 1000

/** Attempts in all, since a lookup may fail. */
const MAX_ATTEMPTS = 8

/** How long each attempt waits for a connection, ms. */
const CONNECTION_TIMEOUT = 12_000

/** Ms after which no further request is sent: a node may respond to each one late. */
const MAX_TIME = 180_000

export type LookupDependencies = Pick<TransactionDependencies, 'call' | 'whenConnected' | 'pause' | 'now'>

/**
 * Looks up a transaction whose submission got no reply. `lookupStart` is the sink from before it was sent. Repeats the
 * lookup, because the transaction may be in a block that no chain block has merged yet. Undefined where it was not
 * found, which proves nothing. A failed lookup does not reject.
 */
export async function lookUpTransaction(
  transactionId: string,
  lookupStart: string,
  { call, whenConnected, pause, now }: LookupDependencies,
): Promise<SubmissionKnown | undefined> {
  let lookups = 0
  const end = now() + MAX_TIME
  const callInTime: Call = (method, request) => {
    if (now() < end) return call(method, request)
    throw new ChainError(`The lookup of ${transactionId} took more than ${MAX_TIME} ms`)
  }
  for (let attempts = 0; attempts < MAX_ATTEMPTS && lookups < LOOKUPS && now() < end; attempts++) {
    try {
      await whenConnected(CONNECTION_TIMEOUT)
      const known = await lookUpOnce(transactionId, lookupStart, callInTime)
      if (known !== undefined) return known
      lookups++
    } catch (error) {
      // The caller reports the error of the submission, not that of a lookup.
      if (!(error instanceof ChainError)) throw error
    }
    await pause(LOOKUP_INTERVAL)
  }
  return undefined
}

/** Reads the mempool, the transactions accepted since `lookupStart`, and the blocks that are not merged yet. */
async function lookUpOnce(
  transactionId: string,
  lookupStart: string,
  call: Call,
): Promise<SubmissionKnown | undefined> {
  if (await isInMempool(transactionId, call)) return 'mempool'
  const { found, sink } = await searchChain(transactionId, lookupStart, call)
  if (found) return 'accepted'
  const isInBlock = sink !== undefined && (await isInBlocksFrom(sink, transactionId, call))
  return isInBlock ? 'new' : undefined // a block has it since it was sent
}

/** Whether the mempool has a transaction. Rejects with `ChainRpcError` without a reply. */
export async function isInMempool(transactionId: string, call: Call): Promise<boolean> {
  try {
    await call('getMempoolEntry', { transactionId, includeOrphanPool: false, filterTransactionPool: false })
    return true
  } catch (error) {
    if (error instanceof ChainRpcError && error.code === 'remote') return false // a node rejects an unknown id
    throw error
  }
}

/** Pages of the chain per lookup: on a slow connection the chain may grow with every response. */
const MAX_PAGES = 15

/**
 * Reads what was accepted since `lookupStart`, page by page up to the sink; follows a reorg between two pages.
 * `sink` is undefined where `MAX_PAGES` did not reach it, or a page led back to an earlier one.
 */
export async function searchChain(
  transactionId: string,
  lookupStart: string,
  call: Call,
): Promise<{ readonly found: boolean; readonly sink: string | undefined }> {
  const known = new Set([lookupStart])
  let sink = lookupStart
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await call('getVirtualChainFromBlock', { startHash: sink, includeAcceptedTransactionIds: true })
    const found = page.acceptedTransactionIds.some((block) => block.acceptedTransactionIds.includes(transactionId))
    const last = page.addedChainBlockHashes.at(-1)
    if (found || last === undefined) return { found, sink }
    if (known.has(last)) break // no progress
    known.add(last)
    sink = last
  }
  return { found: false, sink: undefined }
}

async function isInBlocksFrom(lowHash: string, transactionId: string, call: Call): Promise<boolean> {
  const { blocks } = await call('getBlocks', { lowHash, includeBlocks: true, includeTransactions: false })
  return blocks.some((block) => block.verboseData?.transactionIds.includes(transactionId))
}
