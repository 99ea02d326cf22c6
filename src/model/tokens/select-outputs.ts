import { insufficientTokens, notFungible, tooFragmented } from '../../errors/contract-errors.js'
import { toOutpointKey } from '../utxo.js'
import type { TokenProgram } from './token-program.js'
import type { TokenOutput } from './token-state.js'

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
