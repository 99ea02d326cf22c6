import { loadCode } from '../../../loading/load-code.js'
import { ChainError } from '../../../errors/chain-error.js'
import { ChainCryptoError, type ChainCryptoErrorCode } from '../../../errors/crypto-error.js'
import { ChainWalletError } from '../../../errors/wallet-error.js'
import { toAddress } from '../../../model/address.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { SerializedTransaction } from '../../../model/serialized-transaction.js'
import { collectInSlices } from '../../../sdk/time-slices.js'
import { inputsToSign, type InputToSign, type Signable } from './inputs-to-sign.js'
import type { SignatureRequest, TransactionSigner } from '../../../sdk/port.js'
import type { SignatureScripts } from './sign-with-keys.js'

/** What a signer is shown of a plan. */
export interface ShownPlan {
  readonly prefix: AddressPrefix
  readonly keyPathOf: (address: string) => string | undefined
  readonly transactions: readonly SerializedTransaction[]
  readonly signal: AbortSignal | undefined
}

/**
 * Signs with a signer of the caller. Every signature is verified against the key of its script before it is used.
 * Rejects with `ChainCryptoError`: `invalid-signature` for a wrong one or a wrong count, `failed` where the signer
 * rejects; with the error of a signer of this library.
 */
export async function signWithSigner(
  plan: readonly Signable[],
  signer: TransactionSigner,
  { transactions, signal = new AbortController().signal, ...context }: ShownPlan,
): Promise<SignatureScripts> {
  const inputs = await collectInSlices(inputsToSign(plan), { signal })
  const requests = inputs.map((input) => toRequest(input, context))
  const signatures: unknown = await callSigner(() =>
    signer.sign(requests, { transactions, signal, keyPathOf: context.keyPathOf }),
  )
  if (!Array.isArray(signatures) || signatures.length !== inputs.length)
    throw signerError('invalid-signature', new Error(`The signer returned no array of ${inputs.length} signatures`))
  const { toSignatureScript } = await loadCode(() => import('./check-signature.js'))
  const check = function* (): Generator<string> {
    for (const [position, input] of inputs.entries())
      yield toSignatureScript(signatures[position], input) ?? rejectSignature(input)
  }
  return collectInSlices(check(), { signal })
}

/** With copies of the hashes: a signer may overwrite them. */
function toRequest(
  input: InputToSign,
  { prefix, keyPathOf }: Pick<ShownPlan, 'prefix' | 'keyPathOf'>,
): SignatureRequest {
  const { transactionIndex, inputIndex, scriptPublicKey, sighash, contract } = input
  const publicKey = scriptPublicKey.script.slice(2, -2)
  const address = toAddress(scriptPublicKey, prefix) ?? ''
  const keyPath = keyPathOf(address)
  return {
    transactionIndex,
    inputIndex,
    sighash: Uint8Array.from(sighash),
    address,
    publicKey,
    ...(keyPath !== undefined && { keyPath }),
    ...(contract !== undefined && { contract }),
  }
}

async function callSigner<Result>(sign: () => Promise<Result>): Promise<Result> {
  try {
    return await sign()
  } catch (cause) {
    throw isOfDevice(cause) ? cause : signerError('failed', cause)
  }
}

/** Errors of signers of this library: their codes say more. */
const isOfDevice = (error: unknown): boolean =>
  error instanceof ChainWalletError || (error instanceof ChainError && PASSED_ON.includes(error.code))

const PASSED_ON: readonly unknown[] = ['unsupported', 'package-missing']

function rejectSignature({ transactionIndex, inputIndex }: InputToSign): never {
  const at = `input ${inputIndex} of transaction ${transactionIndex}`
  throw signerError('invalid-signature', new Error(`The signature of ${at} is not valid for the key of its address`))
}

const HINTS: Partial<Record<ChainCryptoErrorCode, string>> = {
  'invalid-signature':
    'Return one signature of 64 bytes per request, in order: Schnorr (BIP-340), or compact ECDSA for ECDSA addresses.',
}

const signerError = (code: ChainCryptoErrorCode, cause: unknown): ChainCryptoError =>
  new ChainCryptoError('sign', cause, { code, argument: 'signer', hint: HINTS[code] ?? 'Nothing was signed.' })
