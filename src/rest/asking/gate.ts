/** Lets `width` through at a time; the others wait in line. */
export type Gate = <T>(width: number, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

interface Waiting {
  readonly width: number
  readonly enter: () => void
}

/**
 * A gate for all who ask one server. Whoever is aborted in line leaves when its turn comes, before any work; whoever is
 * aborted inside leaves at once, for a `fetch` of the user's own may not hear of it.
 */
export function createGate(): Gate {
  const line: Waiting[] = []
  let inside = 0

  /** A place is handed on to the first in line whom it suits; nobody can slip in between. */
  function leave(): void {
    const next = line.findIndex(({ width }) => inside <= width)
    if (next < 0) inside--
    else line.splice(next, 1)[0]?.enter()
  }

  return async (width, signal, work) => {
    if (inside < width) inside++
    else await new Promise<void>((enter) => line.push({ width, enter }))
    try {
      signal.throwIfAborted()
      return await Promise.race([work(), endOf(signal)])
    } finally {
      leave()
    }
  }
}

const endOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
