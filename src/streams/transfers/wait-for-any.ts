/** An iteration whose next value can be awaited beside other sources. */
export interface Pull<T> {
  /** Requests the next value, unless it is on its way or was not taken yet. */
  request(): void
  /** The requested value once it has arrived; each is taken once. */
  take(): IteratorResult<T, undefined> | undefined
  /** The next value, where none is requested. Rejects as the iteration does. */
  next(): Promise<IteratorResult<T, undefined>>
  end(): void
}

export function createPull<T>(
  iteration: AsyncIterator<T, undefined, undefined>,
  { onArrival, onFailure }: { readonly onArrival: () => void; readonly onFailure: (error: unknown) => void },
): Pull<T> {
  let isRequested = false
  let arrived: IteratorResult<T, undefined> | undefined
  return {
    request() {
      if (isRequested || arrived !== undefined) return
      isRequested = true
      const onResult = (result: IteratorResult<T, undefined>): void => {
        isRequested = false
        arrived = result
        onArrival()
      }
      iteration.next().then(onResult, onFailure)
    },
    take() {
      const taken = arrived
      arrived = undefined
      return taken
    },
    next: () => iteration.next(),
    end: () => void iteration.return?.(),
  }
}

/** Lets one waiter wait for whatever comes first of several sources. */
interface Wake {
  /** Wakes the waiter, or lets the next wait end at once. */
  wake(): void
  /** Resolves at the next call of `wake`, or at once after one that came before. */
  wait(): Promise<void>
}

export function createWake(): Wake {
  let isSet = false
  let resolve: (() => void) | undefined
  return {
    wake() {
      isSet = true
      resolve?.()
    },
    async wait() {
      if (!isSet) await new Promise<void>((done) => (resolve = done))
      isSet = false
    },
  }
}
