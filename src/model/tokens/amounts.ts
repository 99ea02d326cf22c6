import type { ListChanges } from '../changes.js'
import { ownerIn, type OwnersByFields } from './owner.js'
import type { TokenOutput, TokenProgram } from './token-program.js'
import { insufficientTokens, notFungible, tooFragmented } from '../../errors/contract-errors.js'
import { toOutpointKey } from '../utxo.js'

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

/**
 * The outputs of one kind: of the extension commitment that is named, or of the only one. Throws `ChainError`
 * (`not-fungible`).
 */
export function fungibleOutputs<Output extends TokenOutput>(
  outputs: readonly Output[],
  extensionCommitment: string | undefined,
): readonly Output[] {
  const kindOf = ({ state }: TokenOutput): string => state.extension_commitment
  if (extensionCommitment !== undefined) return outputs.filter((one) => kindOf(one) === extensionCommitment)
  const extensionCommitments = [...new Set(outputs.map(kindOf))]
  if (extensionCommitments.length > 1) throw notFungible({ extensionCommitments })
  return outputs
}

/**
 * The fewest outputs with an amount, largest first, in the same order for the same set. Throws `ChainError`
 * (`insufficient-tokens`).
 */
export function selectOutputs<Output extends TokenOutput>(
  outputs: readonly Output[],
  required: bigint,
): readonly Output[] {
  const selected: Output[] = []
  let available = 0n
  for (const output of [...outputs].sort(largestFirst)) {
    if (available >= required) break
    selected.push(output)
    available += output.state.amount
  }
  if (available < required) throw insufficientTokens({ available, required })
  return selected
}

function largestFirst(left: TokenOutput, right: TokenOutput): number {
  if (left.state.amount !== right.state.amount) return left.state.amount > right.state.amount ? -1 : 1
  return toOutpointKey(left.outpoint) < toOutpointKey(right.outpoint) ? -1 : 1
}

/**
 * The outputs that are merged before a transaction can spend them all; none where one can. Throws `ChainError`
 * (`too-fragmented`).
 */
export function outputsToMerge<Output extends TokenOutput>(
  selected: readonly Output[],
  { maxInputs }: Pick<TokenProgram, 'maxInputs'>,
  maxMerges: number,
): readonly Output[] {
  const surplus = selected.length - maxInputs
  if (surplus <= 0) return []
  const merges = maxInputs > 1 ? Math.ceil(surplus / (maxInputs - 1)) : Infinity
  if (merges > maxMerges) throw tooFragmented({ merges, maxMerges })
  return selected.slice(0, Math.min(maxInputs, surplus + 1))
}
