import { Unexpected } from '../decoding/shape.js'
import type { ChainRestTransaction } from '../records/transactions.js'
import type { Arguments } from './endpoint.js'

/**
 * Compares responses with what was requested. A response about another address or id comes from a proxy, from a
 * confused cache or from a server that lies. What a response does not contain is not compared.
 */

interface OfAddress {
  readonly address?: string | undefined
}

interface OfTransaction {
  readonly transactionId?: string | undefined
}

/** Throws `Unexpected` if `found` is given and is not `requested`. */
export function verifySame(found: unknown, requested: unknown, what: 'address' | 'block' | 'transaction'): void {
  if (found !== undefined && found !== requested) throw new Unexpected(`the response is about another ${what}`)
}

export const verifyAddress = (found: OfAddress, { address }: Arguments): void =>
  verifySame(found.address, address, 'address')

/** One entry for each requested address, in its order. */
export const verifyAddresses = (found: readonly OfAddress[], { addresses }: Arguments): void =>
  verifyEach(
    found.map(({ address }) => address),
    addresses,
    'address',
  )

/** One entry for each requested id, in its order. */
export const verifyTransactions = (found: readonly OfTransaction[], { transactionIds }: Arguments): void =>
  verifyEach(
    found.map(({ transactionId }) => transactionId),
    transactionIds,
    'transaction',
  )

function verifyEach(found: readonly unknown[], requested: unknown, what: 'address' | 'transaction'): void {
  const list = requested as readonly unknown[] // checked before the request was sent
  if (found.length !== list.length) throw new Unexpected(`the response has ${found.length} entries for ${list.length}`)
  found.forEach((item, index) => verifySame(item, list[index], what))
}

/** Entries of the requested addresses, in any order and number. */
export function verifyAmongAddresses(found: readonly OfAddress[], { address, addresses = [address] }: Arguments): void {
  const requested = new Set(addresses as readonly unknown[])
  const other = found.find((entry) => entry.address !== undefined && !requested.has(entry.address))
  if (other !== undefined) throw new Unexpected('the response is about another address')
}

/** Transactions of the requested ids, in any order; a search by blue scores has none. */
export function verifyAmongTransactions(found: readonly OfTransaction[], { transactionIds }: Arguments): void {
  if (!Array.isArray(transactionIds) || transactionIds.length === 0) return
  const requested = new Set<unknown>(transactionIds)
  const other = found.find(({ transactionId }) => transactionId !== undefined && !requested.has(transactionId))
  if (other !== undefined) throw new Unexpected('the response is about another transaction')
}

/** Transactions that pay to or spend from the requested address. */
export function verifyInvolved(found: readonly ChainRestTransaction[], { address, fields }: Arguments): void {
  if (fields !== undefined) return // what is left out cannot be compared
  if (found.some((transaction) => involvesOthersOnly(transaction, address))) {
    throw new Unexpected('the response is about another address')
  }
}

/** Whether all addresses of the transaction are known and none is `address`. */
function involvesOthersOnly({ inputs = [], outputs }: ChainRestTransaction, address: unknown): boolean {
  if (outputs === undefined) return false
  const involved = [
    ...inputs.map((input) => input.previous_outpoint_address),
    ...outputs.map((output) => output.script_public_key_address),
  ]
  return involved.every((other) => other !== undefined && other !== address)
}
