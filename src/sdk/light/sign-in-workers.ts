import { onAbort } from '../../loading/abortable.js'
import type { SdkPort, SigningRequest } from '../port.js'
import { signInSlices } from '../time-slices.js'
import { openSignWorker, type OpenWorker } from './open-worker.js'
import { signHashes, READY } from './sign-hashes.js'

/** Up to so many hashes are signed on the thread itself: opening a worker takes longer. */
const FEW = 8

/** Hashes for which a second worker pays; more than two do not, on the usual number of cores. */
const MANY = 64

/** Ms after which a worker whose code has not loaded counts as failed. */
const START_TIMEOUT = 5_000

/**
 * `signHashesAsync` in workers, which end after each plan. Where workers cannot be used (blocked by a
 * Content-Security-Policy, not served, in a service worker), it signs in slices from then on.
 */
export function createSignInWorkers(open: OpenWorker = openSignWorker): NonNullable<SdkPort['signHashesAsync']> {
  let isAvailable = true
  return async (requests, { signal } = {}) => {
    signal?.throwIfAborted()
    const count = requests.reduce((sum, { hashes }) => sum + hashes.length, 0)
    if (count > FEW && isAvailable) {
      try {
        return await signInWorkers(split(requests, count), open, signal)
      } catch {
        signal?.throwIfAborted()
        isAvailable = false // the reason is that of the environment, not of the requests
      }
    }
    return signInSlices(requests, signHashes, { signal })
  }
}

/** Two parts of about equal size, or one. Each has all requests, with a part of their hashes. */
function split(requests: readonly SigningRequest[], count: number): readonly (readonly SigningRequest[])[] {
  if (count < MANY) return [requests]
  const half = Math.ceil(count / 2)
  return [takeHashes(requests, 0, half), takeHashes(requests, half, count)]
}

/** The requests with those of their hashes whose position among all is from `start` up to `end`. */
function takeHashes(requests: readonly SigningRequest[], start: number, end: number): readonly SigningRequest[] {
  let position = 0
  return requests.map(({ hashes, privateKey }) => {
    const [from, to] = [Math.max(start - position, 0), Math.max(end - position, 0)]
    position += hashes.length
    return { hashes: hashes.slice(from, to), privateKey }
  })
}

/** One worker for each part; all end with the first failure, and when `signal` aborts. */
async function signInWorkers(
  parts: readonly (readonly SigningRequest[])[],
  open: OpenWorker,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly string[])[]> {
  const end = new AbortController()
  const stop = onAbort(signal, () => end.abort())
  try {
    const signed = await Promise.all(parts.map((part) => signInWorker(part, open, end.signal)))
    return (parts[0] ?? []).map((_, request) => signed.flatMap((scripts) => scripts[request] ?? []))
  } finally {
    stop()
    end.abort()
  }
}

/** Rejects where the worker fails, or when `end` aborts. */
async function signInWorker(
  requests: readonly SigningRequest[],
  open: OpenWorker,
  end: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('The worker failed'))
    const worker = open({
      onMessage: (data) => {
        clearTimeout(timer)
        if (data === READY) worker.post(requests)
        else if (isSigned(data, requests)) resolve(data)
        else fail()
      },
      onFailure: fail,
    })
    const timer = setTimeout(fail, START_TIMEOUT)
    onAbort(end, () => {
      clearTimeout(timer)
      worker.end()
      fail()
    })
  })
}

/** One signature script for each hash. */
const isSigned = (data: unknown, requests: readonly SigningRequest[]): data is readonly (readonly string[])[] =>
  Array.isArray(data) &&
  data.length === requests.length &&
  requests.every(({ hashes }, at) => {
    const scripts: unknown = data[at]
    return Array.isArray(scripts) && scripts.length === hashes.length && scripts.every(isScript)
  })

const isScript = (script: unknown): boolean => typeof script === 'string' && /^41[0-9a-f]{128}01$/.test(script)
