import { ChainError } from './chain-error.js'

/** Why a text is no bundle of transactions. */
export type InvalidPskbReason =
  | 'prefix'
  | 'hex'
  | 'utf-8'
  | 'syntax'
  | 'number'
  | 'duplicate'
  | 'depth'
  | 'length'
  | 'count'
  | 'type'
  | 'missing'
  | 'name'
  | 'key'

/** Where a text is refused. */
export interface InvalidPskb {
  /** The JSON path: `$[0].inputs[1].sequence`. Names that are no members of a bundle are `*`. */
  readonly at: string
  readonly reason: InvalidPskbReason
}

/** The text is no `PSKB`, or one that two readers could read in two ways. It holds nothing of the text. */
export type InvalidPskbError = ChainError<'invalid-pskb'> & InvalidPskb

export function invalidPskb(reason: InvalidPskbReason, at = '$'): InvalidPskbError {
  const error = new ChainError(`The PSKB text cannot be read at ${at}: ${INVALID[reason]}`, {
    code: 'invalid-pskb',
    hint: 'Nothing was signed. Have the text exported again, by software that writes PSKB.',
  })
  return Object.assign(error, { at, reason })
}

const INVALID: Readonly<Record<InvalidPskbReason, string>> = {
  prefix: 'it does not begin with PSKB',
  hex: 'there is no hex of whole bytes',
  'utf-8': 'it is not UTF-8',
  syntax: 'it is not JSON',
  number: 'a number has a sign, a fraction, an exponent, or is out of range',
  duplicate: 'a member is there twice',
  depth: 'it is nested too deep',
  length: 'it is too long',
  count: 'the number of inputs or outputs differs from what it states',
  type: 'the value is of another type',
  missing: 'a member is missing',
  name: 'a known member has another spelling',
  key: 'there is no public key',
}

/** Narrows an error to `InvalidPskbError`. */
export const isInvalidPskb = (error: unknown): error is InvalidPskbError =>
  error instanceof ChainError && error.code === 'invalid-pskb'

/** The rule that a bundle breaks. */
export type UntrustedPskbReason =
  | 'sighash'
  | 'amounts'
  | 'fee'
  | 'change'
  | 'foreign-input'
  | 'operations'
  | 'duplicate'
  | 'redeem-script'
  | 'timed'
  | 'version'
  | 'payload'
  | 'covenant'
  | 'spent'

/** What is wrong with a bundle. */
export interface UntrustedPskb {
  readonly reason: UntrustedPskbReason
  /** The position of the transaction in the bundle. */
  readonly transaction: number
  /** The position of the input in the transaction; undefined where the rule concerns the whole of it. */
  readonly input: number | undefined
}

/** A bundle that no cosigner should sign. Nothing was signed. */
export type UntrustedPskbError = ChainError<'untrusted-pskb'> & UntrustedPskb

export function untrustedPskb(reason: UntrustedPskbReason, transaction: number, input?: number): UntrustedPskbError {
  const where = input === undefined ? '' : `, input ${input}`
  const error = new ChainError(
    `The bundle is not to be signed (transaction ${transaction}${where}): ${UNTRUSTED[reason]}`,
    {
      code: 'untrusted-pskb',
      hint: 'Nothing was signed. Have its author make another one.',
    },
  )
  return Object.assign(error, { reason, transaction, input })
}

const UNTRUSTED: Readonly<Record<UntrustedPskbReason, string>> = {
  sighash: 'a signature would not cover all inputs and outputs',
  amounts: 'an amount or script of what it spends is not that of the node, or is missing',
  fee: 'the fee is above the bound, below zero, or there is no output',
  change: 'an output that it names as change is not of the account',
  'foreign-input': 'an input does not belong to the account',
  operations: 'the signature operations of an input are not the number of keys',
  duplicate: 'an output is spent twice, or the stated id is another',
  'redeem-script': 'a redeem script is not that of the address',
  timed: 'it has a lock time, which two readers would read in two ways, or a sequence that delays it',
  version: 'its version is not supported',
  payload: 'it has a payload',
  covenant: 'a covenant binds an input or output',
  spent: 'the node does not have what it spends',
}

/** Narrows an error to `UntrustedPskbError`. */
export const isUntrustedPskb = (error: unknown): error is UntrustedPskbError =>
  error instanceof ChainError && error.code === 'untrusted-pskb'

/** What is missing to finalize. */
export interface MissingSignatures {
  /** The least number of valid signatures that an input has. */
  readonly have: number
  /** The threshold of the account. */
  readonly need: number
  /** The inputs that have fewer. */
  readonly inputs: readonly { readonly transaction: number; readonly input: number }[]
}

/** Too few signatures to finalize. */
export type SignaturesMissingError = ChainError<'signatures-missing'> & MissingSignatures

export function signaturesMissing({ have, need, inputs }: MissingSignatures): SignaturesMissingError {
  const error = new ChainError(`There are ${have} of ${need} signatures`, {
    code: 'signatures-missing',
    hint: 'Pass the text to another cosigner, and combine what comes back.',
  })
  return Object.assign(error, { have, need, inputs })
}

/** Narrows an error to `SignaturesMissingError`. */
export const isSignaturesMissing = (error: unknown): error is SignaturesMissingError =>
  error instanceof ChainError && error.code === 'signatures-missing'
