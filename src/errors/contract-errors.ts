import { ChainError } from './chain-error.js'
import type { FailedOutcome } from './submission-outcome.js'

/** Where a call failed. */
export interface ContractRefusal {
  /** The position of the input in the transaction. */
  readonly input: number
  /** The entry that was called. */
  readonly entry: string
  /** The node's text. */
  readonly reason: string
}

/** A call that every node would refuse, found by executing it here. Nothing was sent. */
export type ContractRefusedError = ChainError<'contract-refused'> & ContractRefusal

export function contractRefused({ input, entry, reason }: ContractRefusal): ContractRefusedError {
  const error = new ChainError(`The contract refuses the call "${entry}"`, {
    code: 'contract-refused',
    details: reason,
    hint: 'Nothing was sent. Execute the call with runCall() of vue-chain/testing to see where it fails.',
  })
  return Object.assign(error, { input, entry, reason })
}

/** Narrows an error to `ContractRefusedError`. */
export const isContractRefused = (error: unknown): error is ContractRefusedError =>
  error instanceof ChainError && error.code === 'contract-refused'

/** What spends the output of a contract in place of a call. */
export interface ContractMove {
  readonly covenantId: string
  /** The transaction that mempool or chain show as spending it. */
  readonly spentBy: string
}

/** Another transaction spends the output that a call spends. */
export type ContractMovedError = ChainError<'contract-moved'> & ContractMove

/** `outcome` and `transactionId`: of a call that was submitted, which a reorg may revive. */
export function contractMoved(
  { covenantId, spentBy }: ContractMove,
  options: {
    readonly cause?: unknown
    readonly outcome?: FailedOutcome | undefined
    readonly transactionId?: string | undefined
  } = {},
): ContractMovedError {
  const error = new ChainError(`The transaction ${spentBy} was first: it spends the state that this call spends`, {
    code: 'contract-moved',
    hint: 'Plan the call again on the state that follows. A reorg may revive either of the two.',
    ...options,
  })
  return Object.assign(error, { covenantId, spentBy })
}

/** Narrows an error to `ContractMovedError`. */
export const isContractMoved = (error: unknown): error is ContractMovedError =>
  error instanceof ChainError && error.code === 'contract-moved'

/** The state of the output that a call spends is not known. */
export const stateUnknown = (message: string, hint: string): ChainError<'state-unknown'> =>
  new ChainError(message, { code: 'state-unknown', hint })

/** Two covenant ids that should be one. */
export interface GenesisIds {
  /** The id that the record has. */
  readonly computed: string
  /** The id that was expected. */
  readonly given: string
}

/** A genesis record that proves another covenant id. */
export type GenesisMismatchError = ChainError<'genesis-mismatch'> & GenesisIds

export function genesisMismatch({ computed, given }: GenesisIds): GenesisMismatchError {
  const error = new ChainError(`The genesis record proves the covenant ${computed}, not ${given}`, {
    code: 'genesis-mismatch',
    argument: 'genesis',
    hint: 'Something that began with the covenant is missing in the record, or was changed: do not trust this instance.',
  })
  return Object.assign(error, { computed, given })
}

/** Narrows an error to `GenesisMismatchError`. */
export const isGenesisMismatch = (error: unknown): error is GenesisMismatchError =>
  error instanceof ChainError && error.code === 'genesis-mismatch'
