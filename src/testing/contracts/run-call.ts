import type { ContractArtifact } from '../../model/contracts/artifact.js'
import type { Contract } from '../../model/contracts/contract.js'
import type {
  ContractName,
  ContractStateInput,
  ContractStateOf,
  EntryArguments,
  EntryName,
} from '../../model/contracts/values.js'
import type { CallRun } from './call-run.js'
import { executeCall, type Continuation, type SpentContract } from './execute-call.js'

export interface RunCallOptions<A extends ContractArtifact, N extends ContractName<A>, E extends EntryName<A, N>> {
  /** The state that the call spends. */
  readonly state: ContractStateInput<A, N>
  readonly call: E
  /**
   * Signatures of `{ signedBy }` are not made: they count as valid where the contract checks them by the key of that
   * address.
   */
  readonly args: EntryArguments<A, N, E>
  /** @default 32 bytes `c0` */
  readonly covenantId?: string | undefined
  /**
   * The outputs that follow. @default what the call demands: the states of its arguments, or the one that the contract
   * computes
   */
  readonly outputs?: readonly CallOutput<ContractStateInput<A, N>>[] | undefined
  /** Sompi of the spent output, and of each output that names none. @default 1 KAS */
  readonly value?: bigint | undefined
  /** @default 0n */
  readonly lockTime?: bigint | undefined
  /** @default 0n */
  readonly sequence?: bigint | undefined
  /** The DAA score of the spent output. @default 0n */
  readonly daaScore?: bigint | undefined
}

export interface CallOutput<State> {
  readonly state: State
  /** Sompi. */
  readonly value?: bigint | undefined
  /** Whether it carries the covenant id. @default true */
  readonly bound?: boolean | undefined
}

const KAS = 100_000_000n
const COVENANT_ID = /*#__PURE__*/ 'c0'.repeat(32)

/**
 * Executes one call of a contract, without any network, as a node would: its verdict and text, the units it needs and
 * the states that follow. A contract that computes its next state runs twice: once to find which redeem script it
 * demands, then with that output. Throws `ChainError` (`invalid-argument`) for values that cannot be encoded.
 */
export function runCall<A extends ContractArtifact, N extends ContractName<A>, E extends EntryName<A, N>>(
  contract: Contract<A, N>,
  { state, call, args, outputs, value = KAS, covenantId = COVENANT_ID, ...timing }: RunCallOptions<A, N, E>,
): CallRun<ContractStateOf<A, N>> {
  const spent: SpentContract = {
    scriptPublicKey: contract.scriptPublicKey(state),
    signatureScript: contract.signatureScript(state, call, args),
    covenantId,
    value,
    lockTime: timing.lockTime ?? 0n,
    sequence: timing.sequence ?? 0n,
    blockDaaScore: timing.daaScore ?? 0n,
  }
  const toContinuation = (output: CallOutput<ContractStateInput<A, N>>): Continuation => ({
    redeemScript: contract.redeemScript(output.state),
    value: output.value ?? value,
    isBound: output.bound ?? true,
  })
  const named = outputs ?? contract.nextStates(call, args)?.map((next) => ({ state: next }))
  return executeCall(call, spent, named?.map(toContinuation), (script) => contract.decodeState(script))
}
