import { ChainError } from '../../errors/chain-error.js'
import { toAddress } from '../../model/address.js'
import type { AddressPrefix } from '../../model/network.js'
import type { SubmissionKnown } from '../../model/submission-reply.js'
import type { Transaction } from '../../model/transaction.js'
import type { Call } from '../queries/call.js'
import type { NodeReply } from './submit-to-node.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { TransactionDependencies } from '../transactions/transaction-operations.js'

/** A transaction that may have been sent, to be looked up. */
interface SentTransaction {
  readonly id: string
  readonly transaction: Transaction
  readonly prefix: AddressPrefix
  /** The sink from before it was first sent, if it is known. */
  readonly lookupStart: string | undefined
}

/**
 * Where the node has a transaction: in its mempool, accepted since `lookupStart`, or with outputs in the UTXO index,
 * which has those of the newest block before a chain block accepts them, and where that sink is unknown or pruned. A
 * block that no chain block has merged does not count, because a reorg may have left it behind. Undefined where it is
 * not found, which proves nothing. Rejects with `ChainRpcError` where the mempool cannot be read; other failures count
 * as not found: sending it is safe, because the inputs of a payment can be spent only once.
 */
export async function findTransaction(
  sent: SentTransaction,
  call: Call,
): Promise<Exclude<SubmissionKnown, 'new'> | undefined> {
  if (await isInMempool(sent.id, call)) return 'mempool'
  const isFound = (await isAccepted(sent, call)) === true || (await orUndefined(() => hasUtxo(sent, call))) === true
  return isFound ? 'accepted' : undefined
}

/**
 * How the node knows a transaction, by its reply to a submission; `find` is one look-up, because a block that contained
 * the transaction may have been lost in a reorg. Undefined where that is not shown, also where the look-up fails.
 */
export async function knownByReply(
  reply: NodeReply,
  find: () => Promise<SubmissionKnown | undefined>,
): Promise<SubmissionKnown | undefined> {
  if (reply.type === 'taken') return 'new'
  if (reply.type !== 'refused') return undefined
  if (reply.meaning === 'in-mempool') return 'mempool'
  return reply.meaning === 'was-in-block' ? orUndefined(find) : undefined
}

/** Undefined where the chain cannot be read from `lookupStart` up to the sink. */
async function isAccepted({ id, lookupStart }: SentTransaction, call: Call): Promise<boolean | undefined> {
  if (lookupStart === undefined) return undefined
  const search = await orUndefined(() => searchChain(id, lookupStart, call))
  return search?.found === true || search?.sink !== undefined ? search.found : undefined
}

async function hasUtxo({ id, transaction, prefix }: SentTransaction, call: Call): Promise<boolean> {
  const addresses = transaction.outputs.map(({ scriptPublicKey }) => toAddress(scriptPublicKey, prefix))
  const known = [...new Set(addresses.filter((address) => address !== undefined))]
  const { entries } = await call('getUtxosByAddresses', { addresses: known })
  return entries.some(({ outpoint }) => outpoint.transactionId === id)
}

async function orUndefined<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

/** Complete lookups that do not find a transaction, and the ms between them. */
const LOOKUPS = 5
const LOOKUP_INTERVAL = 1000

/** Attempts in all, since a lookup may fail. */
const MAX_ATTEMPTS = 8

/** How long each attempt waits for a connection, ms. */
const CONNECTION_TIMEOUT = 12_000

/** Ms after which no further request is sent: a node may respond to each one late. */
const MAX_TIME = 180_000

type LookupDependencies = Pick<TransactionDependencies, 'call' | 'whenConnected' | 'pause' | 'now'>

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
async function isInMempool(transactionId: string, call: Call): Promise<boolean> {
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
async function searchChain(
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
