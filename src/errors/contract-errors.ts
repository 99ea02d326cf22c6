import { ChainError, type FailedOutcome } from './chain-error.js'

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

/** An owner that a token cannot have. */
export interface OwnerScheme {
  /** The byte of KCC-2 by which a state names how its owner authorizes. */
  readonly scheme: number
  /** Those that the program supports. */
  readonly supported: readonly number[]
}

/** The program does not support owners of this kind: the tokens would be lost. Nothing was signed. */
export type UnsupportedOwnerError = ChainError<'unsupported-owner'> & OwnerScheme

export function unsupportedOwner(owner: OwnerScheme): UnsupportedOwnerError {
  const byte = (scheme: number): string => scheme.toString(16).padStart(2, '0')
  const error = new ChainError(`The token supports no owners of the scheme ${byte(owner.scheme)}`, {
    code: 'unsupported-owner',
    argument: 'to',
    details: `It supports ${owner.supported.map(byte).join(', ') || 'none'}.`,
    hint: 'Nothing was signed. Transfer to another kind of address: the tokens would be lost.',
  })
  return Object.assign(error, owner)
}

/** Amounts that are no amount of one thing. */
export interface TokenKinds {
  /** The extension commitments of the outputs, hex. */
  readonly extensionCommitments: readonly string[]
}

/** The outputs have several extension commitments: amounts of different ones cannot be added. Nothing was signed. */
export type NotFungibleError = ChainError<'not-fungible'> & TokenKinds

export function notFungible(kinds: TokenKinds): NotFungibleError {
  const error = new ChainError(`The owner has tokens of ${kinds.extensionCommitments.length} kinds`, {
    code: 'not-fungible',
    argument: 'extensionCommitment',
    hint: 'Name the one that is meant: extensionCommitment. Amounts of different ones cannot be added.',
  })
  return Object.assign(error, kinds)
}

/** How many transactions have to merge outputs first. */
export interface TokenMerges {
  readonly merges: number
  readonly maxMerges: number
}

/** The amount is in too many outputs. Nothing was signed. */
export type TooFragmentedError = ChainError<'too-fragmented'> & TokenMerges

export function tooFragmented(needed: TokenMerges): TooFragmentedError {
  const error = new ChainError(`${needed.merges} transactions have to merge the outputs of the token first`, {
    code: 'too-fragmented',
    argument: 'maxMerges',
    details: `At most ${needed.maxMerges} are allowed.`,
    hint: 'Nothing was signed. Transfer smaller amounts to the owner itself first, or raise maxMerges.',
  })
  return Object.assign(error, needed)
}

/** Amounts of a token, in its units. */
export interface TokenAmounts {
  readonly available: bigint
  readonly required: bigint
}

/** The owner has less of the token. Nothing was signed. */
export type InsufficientTokensError = ChainError<'insufficient-tokens'> & TokenAmounts

export function insufficientTokens(amounts: TokenAmounts): InsufficientTokensError {
  const error = new ChainError(`The owner has ${amounts.available} of the token, and ${amounts.required} are needed`, {
    code: 'insufficient-tokens',
    argument: 'amount',
    hint: 'Nothing was signed. Name the owners whose tokens are transferred: from.',
  })
  return Object.assign(error, amounts)
}

/** Narrows an error to `UnsupportedOwnerError`. */
export const isUnsupportedOwner = (error: unknown): error is UnsupportedOwnerError =>
  hasCode(error, 'unsupported-owner')

/** Narrows an error to `NotFungibleError`. */
export const isNotFungible = (error: unknown): error is NotFungibleError => hasCode(error, 'not-fungible')

/** Narrows an error to `TooFragmentedError`. */
export const isTooFragmented = (error: unknown): error is TooFragmentedError => hasCode(error, 'too-fragmented')

/** Narrows an error to `InsufficientTokensError`. */
export const isInsufficientTokens = (error: unknown): error is InsufficientTokensError =>
  hasCode(error, 'insufficient-tokens')

const hasCode = (error: unknown, code: string): boolean => error instanceof ChainError && error.code === code
