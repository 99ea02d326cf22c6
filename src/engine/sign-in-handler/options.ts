import type { ChainNetwork } from '../../model/network.js'
import type { SignInFields } from '../../operations/keys/sign-in-message.js'
import type { SignInRefusal } from '../../operations/keys/verify-sign-in.js'
import type { NonceStore } from './nonce-store.js'

/** Headers of a response, such as `set-cookie`. */
export type SignInHeaders = Readonly<Record<string, string>>

export interface SignInHandlerOptions {
  /**
   * The host of the site, with a port where there is one: `example.com`. A constant: the client chooses the header
   * `Host`.
   */
  readonly domain: string
  /** The nonces that were issued and not used. */
  readonly store: NonceStore
  /** @default 'mainnet' */
  readonly network?: ChainNetwork | undefined
  /** How long a message may be valid, and how long a nonce is stored, ms. @default 86400000, 24 h */
  readonly maxValidity?: number | undefined
  /** The session of the address that has signed in: headers of the response. A rejection is status 500. */
  readonly onSignIn?: ((fields: SignInFields) => SignInHeaders | Promise<SignInHeaders>) | undefined
  /** Why a sign-in was refused, for a log; the client does not learn it. */
  readonly onRefused?: ((reason: SignInRefusal) => void) | undefined
  /** Further origins whose pages may sign in: `https://app.example.com`. @default the origins of `domain` */
  readonly origins?: readonly string[] | undefined
  /** The longest body, bytes. @default 16384 */
  readonly maxBodySize?: number | undefined
  /** How long the body may take to arrive, ms. @default 10000 */
  readonly bodyTimeout?: number | undefined
}
