import type { SigningRequest } from '../port.js'
import { signHashes } from './sign-hashes.js'

/** The longest time without a pause, ms: half a frame. */
const SLICE = 8

/** The clock, and a pause in which the event loop runs other tasks. */
export interface SliceClock {
  readonly now: () => number
  readonly pause: () => Promise<void>
}

const CLOCK: SliceClock = { now: () => performance.now(), pause: () => nextTask() }

/** Signs in slices of 8 ms: a signature takes 1 to 2 ms, so that hundreds of them would block the page. */
export async function signInSlices(
  requests: readonly SigningRequest[],
  { now, pause }: SliceClock = CLOCK,
): Promise<readonly (readonly string[])[]> {
  let start = now()
  const signed: string[][] = []
  for (const { hashes, privateKey } of requests) {
    const scripts: string[] = []
    for (const hash of hashes) {
      if (now() - start >= SLICE) {
        await pause()
        start = now()
      }
      scripts.push(...signHashes([hash], privateKey))
    }
    signed.push(scripts)
  }
  return signed
}

/** Resolves in a new task. A message has no minimum delay, unlike nested timers in browsers (4 ms). */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
