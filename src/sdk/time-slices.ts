import { nextTask } from '../loading/steps.js'
import type { SdkPort, SigningRequest } from './port.js'

/** The longest time without a pause, ms: half a frame. */
const SLICE = 8

/** The clock, and a pause in which the event loop runs other tasks. */
interface SliceClock {
  readonly now: () => number
  readonly pause: () => Promise<void>
}

interface SliceOptions {
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

/** Signs one hash after the other in slices of 8 ms: hundreds of signatures at once would block the page. */
export async function signInSlices(
  requests: readonly SigningRequest[],
  signHashes: SdkPort['signHashes'],
  options?: SliceOptions,
): Promise<readonly (readonly string[])[]> {
  const scripts = await collectInSlices(signEach(requests, signHashes), options)
  let next = 0
  return requests.map(({ hashes }) => scripts.slice(next, (next += hashes.length)))
}

function* signEach(requests: readonly SigningRequest[], signHashes: SdkPort['signHashes']): Generator<string> {
  for (const { hashes, privateKey } of requests) for (const hash of hashes) yield* signHashes([hash], privateKey)
}
