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

/** Puts the answers of `dehydrateRest` into a cache; what is newer there stays. Throws `SyntaxError` for what is no JSON. */
export function hydrateRest({ cache }: CacheHolder, text: string): void {
  cache.put(JSON.parse(text, readBigint) as ReturnType<RestCache['entries']>)
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
