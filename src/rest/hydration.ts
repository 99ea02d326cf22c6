import type { RestCache } from './asking/store.js'

/** What holds kept answers: a client, or what `useChainRest()` returns. */
interface CacheHolder {
  readonly cache: RestCache
}

/**
 * The kept answers of a server's rendering as text, for the page that is sent to the browser. It is JSON that may stand
 * inside a script element as it is.
 */
export function dehydrateRest({ cache }: CacheHolder): string {
  return JSON.stringify(cache.entries(), writeBigint).replaceAll('<', '\\u003c')
}

/**
 * Puts the answers of `dehydrateRest` into a cache; what is newer there stays. None is taken for younger than of now,
 * though the server's clock may go ahead of this one. Throws `SyntaxError` for what is no JSON.
 */
export function hydrateRest({ cache }: CacheHolder, text: string): void {
  const entries = JSON.parse(text, readBigint) as ReturnType<RestCache['entries']>
  cache.put(entries.map((entry) => ({ ...entry, at: Math.min(entry.at, Date.now()) })))
}

/** JSON knows neither bigint nor infinity; a record of one field with a name that no server uses stands for them. */
function writeBigint(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() }
  return value === Infinity ? { $bigint: 'Infinity' } : value
}

function readBigint(_: string, value: unknown): unknown {
  const text = typeof value === 'object' && value !== null ? (value as { $bigint?: unknown }).$bigint : undefined
  if (typeof text !== 'string') return value
  return text === 'Infinity' ? Infinity : BigInt(text)
}
