import { witnessOf, type OwnedOutput, type Witness } from '../../model/tokens/owner.js'
import type { TokenProgram, TokenState } from '../../model/tokens/token-program.js'
import type { CallTarget, DescribedCall } from '../contracts/contract-call.js'

/** A transfer by the owners themselves; the other value is the borrowed receive. */
const BY_OWNER = '00'

/** The arguments of the leading input. */
export const transferArguments = (
  { transfer }: TokenProgram,
  next: readonly TokenState[],
  witness: Witness,
): Readonly<Record<string, unknown>> => ({
  [transfer.states]: next,
  [transfer.witness]: [BY_OWNER, ...witness],
})

/** What a transaction does to a token. */
export interface TokenChange {
  readonly inputs: readonly OwnedOutput[]
  readonly next: readonly TokenState[]
  /** Sompi of the outputs. */
  readonly values: readonly bigint[]
}

/** The calls of the inputs of a token: the first one leads, and names what all together become. */
export const transferCalls = (
  program: TokenProgram,
  target: CallTarget,
  { inputs, next, values }: TokenChange,
): readonly DescribedCall[] =>
  inputs.map(({ outpoint: from, by, state }, at) => {
    const { transfer, delegate } = program
    const witness = witnessOf(by, state)
    const { covenantId } = target
    return at === 0
      ? {
          covenantId,
          entry: transfer.entry,
          args: transferArguments(program, next, witness),
          options: { from, value: values },
          target,
        }
      : {
          covenantId,
          entry: delegate.entry,
          args: { [delegate.witness]: witness },
          options: { from, states: [] },
          target,
        }
  })
