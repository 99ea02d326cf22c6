import type { ChainNetwork } from '../../model/network.js'
import type { SignInFields } from '../../operations/keys/sign-in-message.js'
import type { SignInRefusal } from '../../operations/keys/verify-sign-in.js'
import { requestRefusal, type RequestHead } from '../../model/request-check.js'
import { verifySignInMessage } from '../sign-in.js'

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

/** A request, whatever the server. */
export interface SignInRequest extends RequestHead {
  /** Without the query. */
  readonly path: string
  /** The body, up to the limits; a status where it exceeds them. Rejects where it is broken off. */
  readonly body: () => Promise<string | 408 | 413>
}

export interface SignInResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

type Respond = (request: SignInRequest) => Promise<SignInResponse>

/**
 * Responds to `POST …/nonce` and `POST …/sign-in`. Rejects where the body is broken off, or the store or `onSignIn`
 * fails.
 */
export function createRespond(options: SignInHandlerOptions & { readonly maxValidity: number }): Respond {
  const { domain, store, maxValidity } = options
  const own = [`https://${domain}`, `http://${domain}`]
  const rules = {
    host: domain.replace(/:\d+$/, ''),
    origins: [...own, ...(options.origins ?? [])],
    anyHost: true, // a proxy may have changed it; the message names the domain
  }

  async function issueNonce(): Promise<SignInResponse> {
    const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'))
    await store.add(nonce.join(''), Date.now() + maxValidity)
    return { status: 200, headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' }, body: nonce.join('') }
  }

  async function signIn(body: string): Promise<SignInResponse> {
    const signed = readSigned(body)
    if (signed === undefined) return { status: 400 }
    const { network = 'mainnet', onSignIn, onRefused } = options
    const consumeNonce = async (nonce: string): Promise<boolean> => store.consume(nonce)
    const result = await verifySignInMessage({ ...signed, domain, network, maxValidity, consumeNonce })
    if (result.isValid) return { status: 204, headers: { ...(await onSignIn?.(result.fields)) } }
    onRefused?.(result.reason)
    return { status: 401 }
  }

  return async (request) => {
    const action = /\/(nonce|sign-in)$/.exec(request.path)?.[1]
    if (action === undefined) return { status: 404 }
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
    const contentType = action === 'nonce' ? undefined : 'application/json'
    const refusal = requestRefusal(request, { ...rules, contentType })
    if (refusal !== undefined) return toText(refusal)
    if (action === 'nonce') return issueNonce()
    const body = await request.body()
    return typeof body === 'number' ? { status: body, headers: { connection: 'close' } } : signIn(body)
  }
}

const toText = ({ status, reason }: { readonly status: number; readonly reason: string }): SignInResponse => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body: reason,
})

/** Undefined for anything but `{ message, signature }` with two texts. */
function readSigned(body: string): { readonly message: string; readonly signature: string } | undefined {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null || !('message' in value) || !('signature' in value)) return undefined
  const { message, signature } = value
  return typeof message === 'string' && typeof signature === 'string' ? { message, signature } : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Where a server keeps the nonces that it issued: a table, a cache, or `createMemoryNonceStore()` for one process. */
export interface NonceStore {
  /** Stores a nonce until `expiresAt` (Unix time, ms). */
  add(nonce: string, expiresAt: number): void | Promise<void>
  /**
   * Removes a nonce; `true` where it was there and has not expired. Atomic: of two calls for one nonce, one resolves to
   * `true`.
   */
  consume(nonce: string): boolean | Promise<boolean>
}

export interface MemoryNonceStoreOptions {
  /** Nonces that are kept; beyond it the oldest is dropped. @default 100000 */
  readonly maxNonces?: number | undefined
  /** Unix time, ms. @default the clock of the system */
  readonly now?: (() => number) | undefined
}

/** Nonces of one process, in memory. Those that have expired are removed when the next one is added. */
export function createMemoryNonceStore(options: MemoryNonceStoreOptions = {}): NonceStore {
  const { maxNonces = 100_000, now = () => Date.now() } = options
  const nonces = new Map<string, number>()

  /** The oldest come first, and expire first where they are valid for the same time. */
  function prune(): void {
    const time = now()
    for (const [nonce, expiresAt] of nonces) {
      if (expiresAt > time && nonces.size < maxNonces) return
      nonces.delete(nonce)
    }
  }
  return {
    add: (nonce, expiresAt) => {
      prune()
      nonces.set(nonce, expiresAt)
    },
    consume: (nonce) => {
      const expiresAt = nonces.get(nonce)
      nonces.delete(nonce)
      return expiresAt !== undefined && expiresAt > now()
    },
  }
}
