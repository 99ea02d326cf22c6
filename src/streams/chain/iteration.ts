/** What an iteration has opened. */
export interface OpenedIteration<Batch> {
  readonly batches: AsyncGenerator<Batch, undefined, undefined>
  /** Releases everything, for the reason in words; may be called again. */
  readonly end: (reason: string) => void
}

/**
 * An iterator over batches. Opens nothing before the first `next()`. `return()` releases everything at once: a pending
 * `next()` is done then, whatever error the release causes.
 */
export function toIterator<Batch>(
  open: () => OpenedIteration<Batch> | Promise<OpenedIteration<Batch>>,
): AsyncIterableIterator<Batch, undefined, undefined> {
  let opened: OpenedIteration<Batch> | undefined
  let isReturned = false
  async function* run(): AsyncGenerator<Batch, undefined, undefined> {
    const { batches, end } = (opened = await open())
    try {
      if (!isReturned) yield* batches
    } catch (error) {
      if (!isReturned) throw error
    } finally {
      end('The iteration has ended')
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
      isReturned = true
      opened?.end('The iteration was ended by return()')
      return batches.return(undefined)
    },
  }
}
