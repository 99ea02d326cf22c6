/** Lets one waiter wait for whatever comes first of several sources. */
export interface Wake {
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
