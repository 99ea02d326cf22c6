import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { INDEX_END, endOf, type AddressChain, type FollowedChain } from './address-chain.js'
import type { AccountAddress } from './accounts.js'

/** The indexes that are handed out, by chain, of all accounts of a core. */
export interface IssuedIndexes {
  /** The end of those that `next` has returned. */
  readonly ends: Map<string, number>
  /** Those of change addresses in payments that are not signed by all yet, or were sent. */
  readonly reserved: Map<string, Set<number>>
}

export const createIssuedIndexes = (): IssuedIndexes => ({ ends: new Map(), reserved: new Map() })

/** A chain of an account, with the id under which its indexes are handed out. */
export interface IssuingChain {
  readonly id: string
  readonly chain: FollowedChain
}

/** The first index that is neither used nor handed out. Throws `ChainError` (`account-not-scanned`). */
export function firstFree({ id, chain }: IssuingChain, { ends, reserved }: IssuedIndexes): number {
  const taken = reserved.get(id)
  let index = Math.max(stateOf(chain).next, ends.get(id) ?? 0)
  while (taken?.has(index) === true) index++
  if (index >= INDEX_END) throw invalidArgument('startIndex', 'The chain has no further index')
  return index
}

/** Hands out the first free index. Throws likewise, and (`limit-exceeded`) `withinGap`. */
export function issueAddress(issuing: IssuingChain, withinGap: boolean, issued: IssuedIndexes): AccountAddress {
  const { id, chain } = issuing
  const index = firstFree(issuing, issued)
  const state = stateOf(chain)
  if (withinGap) chain.dispatch({ type: 'limited' })
  if (withinGap && index >= state.used + state.gapLimit) throw beyondGap(state)
  issued.ends.set(id, index + 1)
  chain.dispatch({ type: 'issued', index })
  return { address: chain.address(index), index }
}

/** Reserves an index, which the chain follows from now on; the returned function releases it. */
export function reserveIndex({ id, chain }: IssuingChain, index: number, { reserved }: IssuedIndexes): () => void {
  const taken = reserved.get(id) ?? new Set()
  reserved.set(id, taken.add(index))
  const state = chain.state()
  if (state !== null && index >= endOf(state)) chain.dispatch({ type: 'issued', index })
  return () => taken.delete(index)
}

function stateOf(chain: FollowedChain): AddressChain {
  const state = chain.state()
  if (state === null) throw notScanned()
  return state
}

const notScanned = (): ChainError =>
  new ChainError('The next unused address is not known yet: the account was not scanned', {
    code: 'account-not-scanned',
    hint: 'Await account.scan(), or create the account with startIndex.',
  })

const beyondGap = ({ used, gapLimit }: AddressChain): ChainError =>
  new ChainError(`The next address is ${gapLimit} or more beyond the last used one`, {
    code: 'limit-exceeded',
    argument: 'withinGap',
    hint: `Other wallets look for payments below index ${used + gapLimit}. Show an earlier address again, or leave withinGap out and store each index.`,
  })
