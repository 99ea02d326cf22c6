/** The paths that were cleared from the cache. */
export interface ClearedPaths {
  readonly add: (prefix: string) => void
  readonly has: (path: string) => boolean
}

/** Beyond as many prefixes every path counts as cleared. */
const MAX_PREFIXES = 100

/**
 * A path stays cleared: the own cache follows Cache-Control itself, so HTTP caches are not missed while a page lives.
 */
export function createClearedPaths(): ClearedPaths {
  let prefixes: readonly string[] = []
  const has = (path: string): boolean => prefixes.some((prefix) => path.startsWith(prefix))
  return {
    has,
    add(prefix) {
      if (has(prefix)) return
      const others = prefixes.filter((other) => !other.startsWith(prefix))
      prefixes = others.length < MAX_PREFIXES ? [...others, prefix] : ['']
    },
  }
}

/** The path of a cache key, which begins with the method; other keys as they are. */
export const pathOf = (key: string): string => key.replace(/^(GET|POST) /, '')
