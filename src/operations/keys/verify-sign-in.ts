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
   * Whether the server issued this nonce and it was not used before; marks it as used. Called last, once, and only for
   * a message that is valid otherwise. Must be atomic. Anything but `true` refuses.
   */
  readonly consumeNonce: (nonce: string) => Promise<boolean>
  /**
   * The longest time from `issuedAt` to `expiresAt`, ms: how long the server must know the nonce. @default 86400000, 24
   * h
   */
  readonly maxValidity?: number | undefined
  /** Unix time, ms. @default the clock of the system */
  readonly now?: number | undefined
}

/** Why a sign-in is refused. */
export type SignInRefusal =
  | 'malformed'
  | 'wrong-domain'
  | 'wrong-network'
  | 'not-yet-valid'
  | 'expired'
  | 'valid-too-long'
  | 'wrong-signature'
  | 'wrong-nonce'

export type SignInResult =
  | { readonly isValid: true; readonly fields: SignInFields }
  | { readonly isValid: false; readonly reason: SignInRefusal }

/** The default of `maxValidity`. */
const DAY = 24 * 60 * 60_000

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
  const isConsumed: unknown = await consumeNonce(fields.nonce) // a store of the caller may resolve to a text or a row
  return isConsumed === true ? { isValid: true, fields } : refused('wrong-nonce')
}

function mismatchOf(
  { domain, address, issuedAt, expiresAt }: SignInFields,
  expected: VerifySignInOptions,
): SignInRefusal | undefined {
  const { now = Date.now(), maxValidity = DAY } = expected
  if (domain !== expected.domain) return 'wrong-domain'
  if (!isAddressOf(address, expected.network)) return 'wrong-network'
  if (issuedAt > now + CLOCK_TOLERANCE) return 'not-yet-valid'
  if (expiresAt <= now) return 'expired'
  return expiresAt - issuedAt > maxValidity ? 'valid-too-long' : undefined
}

const refused = (reason: SignInRefusal): SignInResult => ({ isValid: false, reason })

function checkTypes(options: VerifySignInOptions): VerifySignInOptions {
  checkNetwork('verifySignInMessage', options.network)
  for (const argument of ['message', 'signature', 'domain'] as const)
    if (typeof options[argument] !== 'string') throw wrongType(argument, 'a string')
  for (const argument of ['now', 'maxValidity'] as const)
    if (options[argument] !== undefined && !isTime(options[argument])) throw wrongType(argument, 'a time in ms')
  if (typeof options.consumeNonce !== 'function') throw wrongType('consumeNonce', 'a function')
  return options
}

const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0

const wrongType = (argument: string, expected: string): ChainCryptoError =>
  cryptoError('verifySignInMessage', {
    code: 'invalid-argument',
    argument,
    reason: `"${argument}" is not ${expected}`,
    hint: 'Pass { message, signature, domain, network, consumeNonce }.',
  })
