import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { TransactionDependencies } from '../dependencies.js'
import { hasNoReply } from './unknown-outcome.js'

/** The sink from before a plan was submitted: a transaction without reply is looked up from there. */
export interface LookupStart {
  /** Fetches it once per plan. Rejects with `ChainRpcError` where the node does not return it; then nothing is sent. */
  readonly fetch: () => Promise<string>
  /** Its hash; undefined until it was fetched. */
  readonly known: () => string | undefined
}

type LookupStartDependencies = Pick<TransactionDependencies, 'call' | 'whenConnected'>

/** Attempts in all, because a reply may be lost. */
const MAX_ATTEMPTS = 3

/** How long each further attempt waits for a connection, ms. */
const CONNECTION_TIMEOUT = 12_000

/** `sink` is that of an earlier process. */
export function createLookupStart(dependencies: LookupStartDependencies, sink?: string): LookupStart {
  let known = sink
  return {
    known: () => known,
    fetch: async () => {
      try {
        return (known ??= await fetchSink(dependencies, MAX_ATTEMPTS))
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
