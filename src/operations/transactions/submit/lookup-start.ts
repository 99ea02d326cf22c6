import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { TransactionDependencies } from '../dependencies.js'
import { hasNoReply } from '../../submission/unknown-outcome.js'

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
