import { ownerKey, type TokenOwner } from './owner.js'
import type { TokenOutput } from './token-state.js'

/** What some owners have of a token. Amounts can be added only where both ids are the same. */
export interface TokenBalance {
  readonly covenantId: string
  /** 32 bytes, hex. */
  readonly extensionCommitment: string
  /** In outputs that the chain has, in units of the token. */
  readonly amount: bigint
  /** In outputs of own transfers that no block has yet. */
  readonly pending: bigint
  /** Sompi that these outputs hold: KAS of the owners, which their KAS balance does not have. */
  readonly lockedKas: bigint
  /** How many outputs these are: a transaction takes few of them. */
  readonly outputs: number
}

/** The balances of owners in the outputs of a token, one for each extension commitment. */
export function tokenBalances(
  covenantId: string,
  outputs: readonly TokenOutput[],
  owners: ReadonlyMap<string, TokenOwner>,
): readonly TokenBalance[] {
  const sums = new Map<string, Sum>()
  for (const { value, state, depth } of outputs) {
    if (!owners.has(ownerKey(state))) continue
    const sum = sumAt(sums, state.extension_commitment) // changed in place: a token may have ten thousand outputs
    if (depth === 0) sum.amount += state.amount
    else sum.pending += state.amount
    sum.lockedKas += value
    sum.outputs += 1
  }
  return [...sums].map(([extensionCommitment, sum]) => ({ covenantId, extensionCommitment, ...sum }))
}

/** The sums of a balance, while they are added up. */
interface Sum {
  amount: bigint
  pending: bigint
  lockedKas: bigint
  outputs: number
}

function sumAt(sums: Map<string, Sum>, extensionCommitment: string): Sum {
  const found = sums.get(extensionCommitment)
  if (found !== undefined) return found
  const begun = { amount: 0n, pending: 0n, lockedKas: 0n, outputs: 0 }
  sums.set(extensionCommitment, begun)
  return begun
}
