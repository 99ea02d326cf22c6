import { redact } from '../errors/redact.js'
import type { RestCache } from './requests/store.js'

/** A client, or what `useChainRest()` returns. */
interface CacheHolder {
  readonly cache: RestCache
}

/**
 * The cached responses of a server-side rendering as JSON that is safe inside a script element. Without those whose key has a
 * credential, as the path of a `request` may have: the page is public.
 */
export function dehydrateRest({ cache }: CacheHolder): string {
  const entries = cache.entries().filter(({ key }) => redact(key) === key)
  return JSON.stringify(entries, writeBigint).replaceAll('<', '\\u003c')
}

/**
 * Adds the responses of `dehydrateRest` to a cache; newer entries stay. Timestamps ahead of this clock are set to now.
 * Throws `SyntaxError` for invalid JSON.
 */
export function hydrateRest({ cache }: CacheHolder, text: string): void {
  const entries = JSON.parse(text, readBigint) as ReturnType<RestCache['entries']>
  cache.put(entries.map((entry) => ({ ...entry, at: Math.min(entry.at, Date.now()) })))
}

/** JSON has neither bigint nor infinity; both are written as `{ $bigint }`, a name that no server uses. */
function writeBigint(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() }
  return value === Infinity ? { $bigint: 'Infinity' } : value
}

function readBigint(_: string, value: unknown): unknown {
  const text = typeof value === 'object' && value !== null ? (value as { $bigint?: unknown }).$bigint : undefined
  if (typeof text !== 'string' || !WRITTEN.test(text)) return value // of a server that uses the name all the same
  return text === 'Infinity' ? Infinity : BigInt(text)
}

const WRITTEN = /^(?:-?\d{1,1000}|Infinity)$/
