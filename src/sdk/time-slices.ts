import { nextTask } from '../loading/steps.js'

/** The longest time without a pause, ms: half a frame. */
const SLICE = 8

/** The clock, and a pause in which the event loop runs other tasks. */
export interface SliceClock {
  readonly now: () => number
  readonly pause: () => Promise<void>
}

export interface SliceOptions {
  /** Rejects with its reason after the current slice. */
  readonly signal?: AbortSignal | undefined
  readonly clock?: SliceClock | undefined
}

const CLOCK: SliceClock = { now: () => performance.now(), pause: () => nextTask() }

/**
 * Collects the values of an iterator whose every step computes for some time, and pauses after each 8 ms, so that a
 * page stays responsive. Rejects with what a step throws.
 */
export async function collectInSlices<Value>(
  values: Iterable<Value>,
  { signal, clock: { now, pause } = CLOCK }: SliceOptions = {},
): Promise<Value[]> {
  let start = now()
  const collected: Value[] = []
  for (const value of values) {
    collected.push(value)
    if (now() - start < SLICE) continue
    await pause()
    signal?.throwIfAborted()
    start = now()
  }
  return collected
}
