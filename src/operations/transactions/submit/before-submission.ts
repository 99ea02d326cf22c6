import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { TransactionDependencies } from '../transaction-operations.js'
import { hasNoReply } from '../../submission/submit-to-node.js'
import { BoundedMap } from '../../../model/bounded-collections.js'
import { ChainError } from '../../../errors/chain-error.js'
import { outcomeOf } from '../../../errors/with-outcome.js'

/** The sink from before a plan was submitted: a transaction without reply is looked up from there. */
export interface LookupStart {
  /** Begins to fetch it, so that `fetch` waits less. A failure has no effect: `fetch` then fetches it again. */
  readonly prefetch: () => void
  /** Fetches it once per plan. Rejects with `ChainRpcError` where the node does not return it; then nothing is sent. */
  readonly fetch: () => Promise<string>
  /** Its hash; undefined until it was fetched. */
  readonly known: () => string | undefined
}

type LookupStartDependencies = Pick<TransactionDependencies, 'call' | 'whenConnected'>

/** Attempts of `fetch` in all, because a reply may be lost. */
const MAX_ATTEMPTS = 3

/** How long each further attempt waits for a connection, ms. */
const CONNECTION_TIMEOUT = 12_000

/** `sink` is that of an earlier process. */
export function createLookupStart(dependencies: LookupStartDependencies, sink?: string): LookupStart {
  let known = sink
  let prefetched: Promise<string | undefined> | undefined
  return {
    known: () => known,
    prefetch: () => {
      // `fetch` tries again, and rejects with the reason
      prefetched ??= fetchSink(dependencies, 1).catch(() => undefined)
    },
    fetch: async () => {
      try {
        return (known ??= (await prefetched) ?? (await fetchSink(dependencies, MAX_ATTEMPTS)))
      } catch (error) {
        throw error instanceof ChainRpcError ? toNotSent(error) : error
      }
    },
  }
}

async function fetchSink({ call, whenConnected }: LookupStartDependencies, attempts: number): Promise<string> {
  try {
    return (await call('getSink', {})).sink
  } catch (error) {
    if (attempts === 1 || !hasNoReply(error)) throw error
  }
  await whenConnected(CONNECTION_TIMEOUT)
  return fetchSink({ call, whenConnected }, attempts - 1)
}

const toNotSent = ({ cause, code }: ChainRpcError): ChainRpcError =>
  new ChainRpcError('submitTransaction', cause, { code, hint: 'Nothing was sent, and its UTXOs are released.' })

/** The payments that were handed to a node: equal plans are one transaction, and no second one resolves with it. */
export interface MadePayments {
  /** Notes one whose submission resolves; false where it was noted before, also by `addUnknown`. */
  readonly add: (id: string) => boolean
  /** Notes one whose outcome is unknown: it may be made. */
  readonly addUnknown: (id: string) => void
  /** Whether the submission of one has resolved. */
  readonly has: (id: string) => boolean
}

/** Payments that are remembered: the UTXOs of older ones are spent. */
const CAPACITY = 10_000

export function createMadePayments(): MadePayments {
  /** Whether the submission of each has resolved. */
  const payments = new BoundedMap<string, boolean>(CAPACITY)
  return {
    has: (id) => payments.get(id) === true,
    add: (id) => {
      const isFirst = !payments.has(id)
      payments.set(id, true)
      return isFirst
    },
    addUnknown: (id) => {
      if (!payments.has(id)) payments.set(id, false)
    },
  }
}

/** Throws `ChainError` (`aborted`) where the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortedBefore(signal.reason)
}

/** The error of a payment that its signal has aborted. */
export const abortedBefore = (reason: unknown): ChainError =>
  new ChainError('The payment was aborted before it was sent', {
    code: 'aborted',
    cause: reason,
    hint: 'Unsent transactions are not submitted, and their UTXOs are released.',
  })

/** Whether a payment was aborted before it was sent. */
export const isAborted = (error: unknown): boolean =>
  error instanceof ChainError && error.code === 'aborted' && outcomeOf(error) !== 'unknown'
