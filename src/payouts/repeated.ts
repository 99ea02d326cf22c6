/** Work that runs once at a time, and once more where it was requested meanwhile. */
export interface Repeated {
  request(): void
  /** Resolves once it does not run. Never rejects. */
  idle(): Promise<void>
}

/** `fail` has the error of a run, after which the next request runs again. */
export function createRepeated(
  run: () => Promise<void>,
  { signal, fail }: { readonly signal: AbortSignal; readonly fail: (error: unknown) => void },
): Repeated {
  let isDue = false
  let running: Promise<void> | undefined
  const runWhileDue = async (): Promise<void> => {
    while (isDue && !signal.aborted) {
      isDue = false
      await run()
    }
  }
  return {
    request() {
      isDue = true
      running ??= runWhileDue()
        .catch(fail)
        .finally(() => (running = undefined))
    },
    idle: async () => running,
  }
}
