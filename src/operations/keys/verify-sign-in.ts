import type { ChainNetwork } from '../../model/network.js'
import type { VerificationOperations } from './verification.js'
import { checkNetwork } from './arguments.js'
import type { ChainCryptoError } from '../../errors/crypto-error.js'
import { cryptoError } from './crypto-failure.js'
import { isAddressOf, parseSignInMessage, type SignInFields } from './sign-in-message.js'

export interface VerifySignInOptions {
  /** The signed text, as the client sent it. */
  readonly message: string
  /** 64 bytes, hex. */
  readonly signature: string
  /** The host of this site. Do not take it from the request. */
  readonly domain: string
  readonly network: ChainNetwork
  /**
   * Whether the server issued this nonce and it was not used before; marks it as used. Called last, once, and only for a
   * message that is valid otherwise. Must be atomic.
   */
  readonly consumeNonce: (nonce: string) => Promise<boolean>
  /** Unix time, ms. @default the clock of the system */
  readonly now?: number | undefined
}

/** Why a sign-in is refused. */
export type SignInRefusal =
  'malformed' | 'wrong-domain' | 'wrong-network' | 'not-yet-valid' | 'expired' | 'wrong-signature' | 'wrong-nonce'

export type SignInResult =
  | { readonly isValid: true; readonly fields: SignInFields }
  | { readonly isValid: false; readonly reason: SignInRefusal }

/** Clocks of client and server may differ by this much, ms. */
const CLOCK_TOLERANCE = 60_000

/** Checks a signed sign-in message: text, domain, network, times, signature, and the nonce last. */
export async function verifySignIn(
  { verifyMessage }: Pick<VerificationOperations, 'verifyMessage'>,
  options: VerifySignInOptions,
): Promise<SignInResult> {
  const { message, signature, consumeNonce } = checkTypes(options)
  const fields = parseSignInMessage(message)
  if (fields === undefined) return refused('malformed')
  const mismatch = mismatchOf(fields, options)
  if (mismatch !== undefined) return refused(mismatch)
  if (!verifyMessage({ address: fields.address, message, signature })) return refused('wrong-signature')
  return (await consumeNonce(fields.nonce)) ? { isValid: true, fields } : refused('wrong-nonce')
}

function mismatchOf(
  { domain, address, issuedAt, expiresAt }: SignInFields,
  expected: VerifySignInOptions,
): SignInRefusal | undefined {
  const now = expected.now ?? Date.now()
  if (domain !== expected.domain) return 'wrong-domain'
  if (!isAddressOf(address, expected.network)) return 'wrong-network'
  if (issuedAt > now + CLOCK_TOLERANCE) return 'not-yet-valid'
  return expiresAt <= now ? 'expired' : undefined
}

const refused = (reason: SignInRefusal): SignInResult => ({ isValid: false, reason })

function checkTypes(options: VerifySignInOptions): VerifySignInOptions {
  checkNetwork('verifySignInMessage', options.network)
  for (const argument of ['message', 'signature', 'domain'] as const)
    if (typeof options[argument] !== 'string') throw wrongType(argument, 'a string')
  if (typeof options.consumeNonce !== 'function') throw wrongType('consumeNonce', 'a function')
  return options
}

const wrongType = (argument: string, expected: string): ChainCryptoError =>
  cryptoError('verifySignInMessage', {
    code: 'invalid-argument',
    argument,
    reason: `"${argument}" is not ${expected}`,
    hint: 'Pass { message, signature, domain, network, consumeNonce }.',
  })
