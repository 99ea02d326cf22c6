/** Signals of calls that another cache makes. */
const bypassing = /*#__PURE__*/ new WeakSet<AbortSignal>()

/**
 * Marks the signal: calls that take it read no cached response and bypass HTTP caches, as with a `staleTime` of 0; they
 * join a request in flight. A cache above this one, such as that of TanStack Query, decides itself when to fetch.
 */
export function bypassCache(signal: AbortSignal): AbortSignal {
  bypassing.add(signal)
  return signal
}

export const bypassesCache = (signal: AbortSignal | undefined): boolean => signal !== undefined && bypassing.has(signal)
