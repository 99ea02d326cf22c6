/** What an iteration has opened. */
export interface OpenedIteration<Batch> {
  readonly batches: AsyncGenerator<Batch, undefined, undefined>
  /** Releases everything, for the reason in words; may be called again. */
  readonly end: (reason: string) => void
}

/**
 * An iterator over batches. Opens nothing before the first `next()`. `return()` releases everything at once: a pending
 * `next()` is done then, whatever error the release causes. What opens meanwhile sees it by the signal.
 */
export function toIterator<Batch>(
  open: (returned: AbortSignal) => OpenedIteration<Batch> | Promise<OpenedIteration<Batch>>,
): AsyncIterableIterator<Batch, undefined, undefined> {
  let opened: OpenedIteration<Batch> | undefined
  const returned = new AbortController()
  async function* run(): AsyncGenerator<Batch, undefined, undefined> {
    try {
      opened = await open(returned.signal)
      if (!returned.signal.aborted) yield* opened.batches
    } catch (error) {
      if (!returned.signal.aborted) throw error
    } finally {
      opened?.end('The iteration has ended')
    }
    return undefined
  }
  const batches = run()
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => batches.next(),
    return: () => {
      returned.abort()
      opened?.end('The iteration was ended by return()')
      return batches.return(undefined)
    },
  }
}
