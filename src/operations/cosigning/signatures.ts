import { ecdsaSighash, sighash, sighashParts, SIGHASH_TYPES } from '../../model/sighash.js'
import type { PsktInput } from '../../model/pskb/records.js'
import { spentOf, type BundleTransaction } from './bundle.js'
import type { OwnScript } from './bundle-account.js'
import { signaturesOfFinalScript, toCompact, type SignatureCheck } from './verify-signature.js'

/** Valid signatures of an input, hex of 64 bytes, by the position of the cosigner. */
export type InputSignatures = ReadonlyMap<number, string>

/** Those of a bundle, by transaction and input. Foreign inputs have none. */
export type BundleSignatures = readonly (readonly InputSignatures[])[]

/** A signature of a text that is not valid, or of no cosigner. It was dropped. */
export interface RejectedSignature {
  readonly transaction: number
  readonly input: number
  /** The position of the cosigner whose key it names; undefined for a key that is not of the account. */
  readonly cosigner: number | undefined
}

/** An own input of a bundle with the hash that its signatures sign. */
export interface OwnInput {
  readonly transactionIndex: number
  readonly inputIndex: number
  readonly own: OwnScript
  readonly sighash: Uint8Array
}

/** The own inputs of a bundle in order, a hash for each step. */
export function* ownInputs(bundle: readonly BundleTransaction[], isEcdsa: boolean): Generator<OwnInput> {
  const toHash = isEcdsa ? ecdsaSighash : sighash
  for (const [transactionIndex, each] of bundle.entries()) {
    const { transaction, inputs } = each
    const [parts, spent] = [sighashParts(transaction), spentOf(each)]
    for (const [inputIndex, own] of inputs.entries())
      if (own !== undefined) {
        const hash = toHash(transaction, inputIndex, spent, SIGHASH_TYPES.All, parts)
        yield { transactionIndex, inputIndex, own, sighash: hash }
      }
  }
}

/** What verifying the signatures of an input has shown. */
export interface VerifiedInput extends Pick<OwnInput, 'transactionIndex' | 'inputIndex'> {
  readonly signatures: InputSignatures
  readonly rejected: readonly RejectedSignature[]
}

/**
 * Verifies the signatures that a text has for the own inputs of a bundle, an input for each step. `known` are valid
 * ones, which are never replaced. Schnorr and ECDSA never mix; for Schnorr, keys that differ in parity only are one.
 */
export function* verifySignatures(
  bundle: readonly BundleTransaction[],
  isEcdsa: boolean,
  isValidSignature: SignatureCheck,
  known?: BundleSignatures,
): Generator<VerifiedInput> {
  for (const input of ownInputs(bundle, isEcdsa)) {
    const { transactionIndex, inputIndex, own, sighash: hash } = input
    const signatures = new Map(known?.[transactionIndex]?.[inputIndex])
    const rejected: RejectedSignature[] = []
    const pskt = bundle[transactionIndex]?.pskt.inputs[inputIndex]
    for (const { cosigner, signature } of pskt === undefined ? [] : candidates(pskt, own, isEcdsa)) {
      if (cosigner !== undefined && signatures.has(cosigner)) continue
      const key = cosigner === undefined ? undefined : own.publicKeys[cosigner]
      const isValid = key !== undefined && signature !== undefined && isValidSignature(signature, hash, key, isEcdsa)
      if (isValid && cosigner !== undefined) signatures.set(cosigner, signature)
      else rejected.push({ transaction: transactionIndex, input: inputIndex, cosigner })
    }
    let wrong = 0
    for (const [at, { signature }] of signaturesOfFinalScript(pskt?.finalScriptSig ?? null).entries()) {
      const isOf = (key: string): boolean => isValidSignature(signature, hash, key, isEcdsa)
      if (at < own.publicKeys.length && wrong < MAX_WRONG && addFinal(signature, signatures, isOf, own)) continue
      wrong += 1
      rejected.push({ transaction: transactionIndex, input: inputIndex, cosigner: undefined })
    }
    yield { transactionIndex, inputIndex, signatures, rejected }
  }
}

/** Wrong signatures of a final script after which the others are dropped: each is tried with every key. */
const MAX_WRONG = 2

interface Candidate {
  readonly cosigner: number | undefined
  readonly signature: string | undefined
}

function candidates({ partialSigs }: PsktInput, { publicKeys }: OwnScript, isEcdsa: boolean): readonly Candidate[] {
  const inScript = isEcdsa ? publicKeys : publicKeys.map((key) => key.slice(2))
  return [...partialSigs].map(([key, partial]) => {
    const cosigner = inScript.indexOf(isEcdsa ? key : key.slice(2))
    const isOfScheme = (partial.scheme === 'ecdsa') === isEcdsa
    return {
      cosigner: cosigner === -1 ? undefined : cosigner,
      signature: isOfScheme ? toCompact(partial) : undefined,
    }
  })
}

/**
 * A final script names no keys: the signature is that of the key that it is valid for. Returns whether there is one.
 */
function addFinal(
  signature: string,
  found: Map<number, string>,
  isOf: (key: string) => boolean,
  { publicKeys }: OwnScript,
): boolean {
  if ([...found.values()].includes(signature)) return true
  const cosigner = publicKeys.findIndex((key, at) => !found.has(at) && isOf(key))
  if (cosigner !== -1) found.set(cosigner, signature)
  return cosigner !== -1
}

/** No signature for any input. */
export const noSignatures = (bundle: readonly BundleTransaction[]): BundleSignatures =>
  bundle.map(({ inputs }) => inputs.map(() => new Map()))

/** Puts what was verified in its place. */
export function mergeVerified(
  before: BundleSignatures,
  verified: readonly Pick<VerifiedInput, 'transactionIndex' | 'inputIndex' | 'signatures'>[],
): BundleSignatures {
  const merged = before.map((inputs) => [...inputs])
  for (const { transactionIndex, inputIndex, signatures } of verified) {
    const inputs = merged[transactionIndex]
    if (inputs !== undefined) inputs[inputIndex] = signatures
  }
  return merged
}
