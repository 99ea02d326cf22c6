import { ChainError } from './chain-error.js'

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
