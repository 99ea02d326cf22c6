/** Runs `work` soon and in order, never within the call. */
export type Post = (work: () => void) => void

/** One direction of a connection: items arrive in order, each in a turn of its own. */
export interface Pipe<T> {
  send(item: T): void
  /** Delivers nothing until `resume`. */
  pause(): void
  resume(): void
  /** Drops what has not arrived. */
  discard(): void
}

export function createPipe<T>(post: Post, deliver: (item: T) => void): Pipe<T> {
  let waiting: T[] = []
  let isPaused = false
  const deliverNext = (): void => {
    const next = isPaused ? undefined : waiting.shift()
    if (next !== undefined) deliver(next)
  }
  return {
    send(item) {
      waiting.push(item)
      post(deliverNext)
    },
    pause: () => (isPaused = true),
    resume() {
      isPaused = false
      for (const _ of waiting) post(deliverNext)
    },
    discard: () => (waiting = []),
  }
}
