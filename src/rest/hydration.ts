import { redact } from '../errors/redact.js'
import { fromLosslessJson, toLosslessJson } from '../model/lossless-json.js'
import type { RestCache } from './requests/store.js'
import { ChainError } from '../errors/chain-error.js'

/**
 * The cached responses of a client, or of what `useChainRest()` returns, of a server-side rendering as JSON that is
 * safe inside a script element. Without those whose key has a credential, as the path of a `request` may have: the page
 * is public.
 */
export function dehydrateRest({ cache }: { readonly cache: RestCache }): string {
  const entries = cache.entries().filter(({ key }) => redact(key) === key)
  return toLosslessJson(entries)
}

/**
 * Adds the responses of `dehydrateRest` to a cache; newer entries stay. Timestamps ahead of this clock are set to now.
 * Throws `SyntaxError` for invalid JSON.
 */
export function hydrateRest({ cache }: { readonly cache: RestCache }, text: string): void {
  const entries = fromLosslessJson(text) as ReturnType<RestCache['entries']>
  cache.put(entries.map((entry) => ({ ...entry, at: Math.min(entry.at, Date.now()) })))
}

/** The serializable fields of an error of a server-rendered page; `cause` stays on the server. */
export interface RenderedFailure {
  readonly name: string
  readonly message: string
  readonly code: string
  readonly details: string
  readonly hint?: string
  readonly status?: number
}

export function toRendered(error: ChainError): RenderedFailure {
  const { name, message, code, details, hint } = error
  const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined
  return { name, message, code, details, ...(hint !== undefined && { hint }), ...(status !== undefined && { status }) }
}

/** A `ChainError` with the serialized fields. */
export const fromRendered = ({ message, ...data }: RenderedFailure): ChainError =>
  Object.assign(new ChainError(message), data)
