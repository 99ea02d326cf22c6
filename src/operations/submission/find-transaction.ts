import { ChainError } from '../../errors/chain-error.js'
import { toAddress } from '../../model/address.js'
import type { AddressPrefix } from '../../model/network.js'
import type { SubmissionKnown } from '../../model/submission-reply.js'
import type { Transaction } from '../../model/transaction.js'
import type { Call } from '../queries/call.js'
import { isInMempool, searchChain } from './lookup.js'
import type { NodeReply } from './submit-to-node.js'

/** A transaction that may have been sent, to be looked up. */
export interface SentTransaction {
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
