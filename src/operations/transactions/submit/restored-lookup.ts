import { ChainError } from '../../../errors/chain-error.js'
import { toAddress } from '../../../model/address.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { Transaction } from '../../../model/transaction.js'
import type { Call } from '../../queries/call.js'
import { isInMempool, searchChain } from './lookup.js'

/** A payment of an earlier process, to be looked up. */
export interface RestoredLookup {
  readonly id: string
  readonly transaction: Transaction
  readonly prefix: AddressPrefix
  /** The sink from before it was first sent, if it is known. */
  readonly lookupStart: string | undefined
}

/**
 * Whether the network has a payment of an earlier process: in the mempool, or accepted since `lookupStart`. Where that sink is
 * unknown or pruned, its outputs are searched in the UTXO index, until they are spent. A block that no chain block has
 * merged does not count, because a reorg may have left it behind.
 * Rejects with `ChainRpcError` where the mempool cannot be read; other failures count as not found: sending it is safe,
 * because the inputs of a payment can be spent only once.
 */
export async function findRestored(lookup: RestoredLookup, call: Call): Promise<boolean> {
  if (await isInMempool(lookup.id, call)) return true
  return (await isAccepted(lookup, call)) ?? (await orUndefined(() => hasUtxo(lookup, call))) ?? false
}

/** Undefined where the chain cannot be read from `lookupStart` up to the sink. */
async function isAccepted({ id, lookupStart }: RestoredLookup, call: Call): Promise<boolean | undefined> {
  if (lookupStart === undefined) return undefined
  const search = await orUndefined(() => searchChain(id, lookupStart, call))
  return search?.found === true || search?.sink !== undefined ? search.found : undefined
}

async function hasUtxo({ id, transaction, prefix }: RestoredLookup, call: Call): Promise<boolean> {
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
