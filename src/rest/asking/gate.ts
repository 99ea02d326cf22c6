/** Lets so many through at a time; the others wait in line. */
export type Gate = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/** A gate for `width` at a time. Whoever is aborted in line leaves when its turn comes, before any work. */
export function createGate(width: number): Gate {
  const line: (() => void)[] = []
  let free = width

  async function enter(): Promise<void> {
    if (free > 0) free--
    else await new Promise<void>((resolve) => line.push(resolve))
  }

  /** A place is handed on to the next in line; nobody can slip in between. */
  function leave(): void {
    const next = line.shift()
    if (next === undefined) free++
    else next()
  }

  return async (signal, work) => {
    await enter()
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      leave()
    }
  }
}
