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
  const balances = new Map<string, TokenBalance>()
  for (const { value, state, depth } of outputs) {
    if (!owners.has(ownerKey(state))) continue
    const { extension_commitment: extensionCommitment } = state
    const before = balances.get(extensionCommitment) ?? { ...NONE, covenantId, extensionCommitment }
    balances.set(extensionCommitment, {
      ...before,
      amount: before.amount + (depth === 0 ? state.amount : 0n),
      pending: before.pending + (depth === 0 ? 0n : state.amount),
      lockedKas: before.lockedKas + value,
      outputs: before.outputs + 1,
    })
  }
  return [...balances.values()]
}

const NONE = { amount: 0n, pending: 0n, lockedKas: 0n, outputs: 0 }
