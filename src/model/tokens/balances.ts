import type { ListChanges } from '../changes.js'
import { ownerIn, type OwnersByFields } from './owner.js'
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

/**
 * The balances of owners in the outputs of a token, one for each extension commitment, after outputs were removed and
 * added: a token may have ten thousand others.
 */
export function reduceBalances(
  balances: readonly TokenBalance[],
  covenantId: string,
  { removed, added }: ListChanges<TokenOutput>,
  owners: OwnersByFields,
): readonly TokenBalance[] {
  const sums = new Map(balances.map(({ extensionCommitment, ...sum }): [string, Sum] => [extensionCommitment, sum]))
  const count = ({ value, state, depth }: TokenOutput, sign: 1 | -1): void => {
    if (ownerIn(owners, state) === undefined) return
    const sum = sumAt(sums, state.extension_commitment) // changed in place: the outputs may be all
    const [amount, locked] = [BigInt(sign) * state.amount, BigInt(sign) * value]
    if (depth === 0) sum.amount += amount
    else sum.pending += amount
    sum.lockedKas += locked
    sum.outputs += sign
  }
  for (const output of removed) count(output, -1)
  for (const output of added) count(output, 1)
  const left = [...sums].filter(([, { outputs }]) => outputs > 0)
  return left.map(([extensionCommitment, { amount, pending, lockedKas, outputs }]) => ({
    ...{ covenantId, extensionCommitment, amount, pending, lockedKas, outputs },
  }))
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
