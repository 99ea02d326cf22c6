import { invalidArgument } from '../../errors/chain-error.js'
import { ChainCryptoError } from '../../errors/crypto-error.js'
import { toAddress } from '../../model/address.js'
import type { AccountValue, CosigningPath } from '../../model/cosigning/account-value.js'
import { payToScript } from '../../model/cosigning/redeem-script.js'
import { toHex } from '../../model/hex.js'
import { NETWORKS } from '../../model/network.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import { requireSigner } from '../transactions/sign/sign-with-keys.js'
import type { SignatureRequest, TransactionSigner } from '../../sdk/port.js'
import type { OwnScript } from './bundle-account.js'
import type { BundleSignatures, OwnInput, VerifiedInput } from './signatures.js'
import type { SignatureCheck } from './verify-signature.js'

export interface SignByCallerContext {
  readonly account: AccountValue
  readonly isValidSignature: SignatureCheck
  /** The transactions as a signer is shown them. */
  readonly transactions: () => readonly SerializedTransaction[]
  /** The scripts of the account in them. */
  readonly ownScripts: () => readonly OwnScript[]
  readonly signal: AbortSignal | undefined
}

/**
 * Signs the inputs that the own key has not signed with a signer of the caller, and verifies what it returns. Rejects
 * with `ChainError` (`invalid-argument`) for an account without an own key, and `ChainCryptoError`: `failed`,
 * `invalid-signature`.
 */
export async function signByCaller(
  inputs: readonly OwnInput[],
  before: BundleSignatures,
  signer: TransactionSigner,
  { account, isValidSignature, transactions, ownScripts, signal = new AbortController().signal }: SignByCallerContext,
): Promise<readonly Omit<VerifiedInput, 'rejected'>[]> {
  requireSigner(signer)
  const cosigner = account.ownCosigner
  if (cosigner === undefined)
    throw invalidArgument('own', 'The account has no own key that a signer could have', 'Create it with own.')
  const known = (input: OwnInput) => before[input.transactionIndex]?.[input.inputIndex]
  const open = inputs.filter((input) => known(input)?.has(cosigner) !== true)
  if (open.length === 0) return []
  const requests = open.map((input) => toRequest(input, cosigner, account))
  const keyPathOf = (address: string): string | undefined => {
    const own = ownScripts().find(({ path }) => account.addressAt(path) === address)
    return own && toKeyPath(own.path, cosigner, account)
  }
  const signatures = await callSigner(() => signer.sign(requests, { transactions: transactions(), signal, keyPathOf }))
  if (!Array.isArray(signatures) || signatures.length !== open.length)
    throw invalidSignature(`The signer returned no array of ${open.length} signatures`)
  return open.map((input, at) => {
    const { own, sighash } = input
    const isValid = (signature: string): boolean =>
      isValidSignature(signature, sighash, own.publicKeys[cosigner] ?? '', account.ecdsa)
    const signature = toSignature(signatures[at], isValid)
    const { transactionIndex, inputIndex } = input
    return { transactionIndex, inputIndex, signatures: new Map(known(input)).set(cosigner, signature) }
  })
}

/** With a copy of the hash: a signer may overwrite it. */
function toRequest(
  { transactionIndex, inputIndex, own, sighash }: OwnInput,
  cosigner: number,
  account: AccountValue,
): SignatureRequest {
  const { network, threshold, ecdsa } = account
  const { path, publicKeys, redeemScript } = own
  const key = publicKeys[cosigner] ?? ''
  return {
    transactionIndex,
    inputIndex,
    sighash: Uint8Array.from(sighash),
    address: toAddress(payToScript(redeemScript), NETWORKS[network].addressPrefix) ?? '',
    publicKey: ecdsa ? key : key.slice(2),
    keyPath: toKeyPath(path, cosigner, account),
    redeemScript,
    threshold,
  }
}

const toKeyPath = (path: CosigningPath, cosigner: number, { cosigners }: AccountValue): string =>
  [cosigners[cosigner]?.path, path.cosigner, path.change ? 1 : 0, path.index].join('/')

async function callSigner(sign: () => Promise<readonly Uint8Array[]>): Promise<unknown> {
  try {
    return await sign()
  } catch (cause) {
    throw new ChainCryptoError('sign', cause, { code: 'failed', argument: 'signer', hint: 'Nothing was signed.' })
  }
}

function toSignature(given: unknown, isValid: (signature: string) => boolean): string {
  const signature = given instanceof Uint8Array && given.length === 64 ? toHex(given) : ''
  if (signature !== '' && isValid(signature)) return signature
  throw invalidSignature('A signature of the signer is not valid for the own key')
}

const invalidSignature = (reason: string): ChainCryptoError =>
  new ChainCryptoError('sign', new Error(reason), {
    code: 'invalid-signature',
    argument: 'signer',
    hint: 'Return one signature of 64 bytes per request, in order: Schnorr (BIP-340), or compact ECDSA with a low s.',
  })
