import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { TransactionDependencies } from '../dependencies.js'
import { hasNoReply } from './unknown-outcome.js'

/**
 * Fetches the sink from before a plan was submitted: a transaction without reply is looked up from there. Rejects with
 * `ChainRpcError` where the node does not return it; then nothing is sent.
 */
export type FetchLookupStart = () => Promise<string>

type LookupStartDependencies = Pick<TransactionDependencies, 'call' | 'whenConnected'>

/** Attempts in all, because a reply may be lost. */
const MAX_ATTEMPTS = 3

/** How long each further attempt waits for a connection, ms. */
const CONNECTION_TIMEOUT = 12_000

/** Fetches once per plan. */
export function createFetchLookupStart(dependencies: LookupStartDependencies): FetchLookupStart {
  let sink: string | undefined
  return async () => {
    try {
      return (sink ??= await fetchSink(dependencies, MAX_ATTEMPTS))
    } catch (error) {
      throw error instanceof ChainRpcError ? toNotSent(error) : error
    }
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
