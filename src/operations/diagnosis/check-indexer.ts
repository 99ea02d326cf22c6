import { ChainRestError, type ChainRestErrorCode } from '../../errors/rest-error.js'
import type { Limits } from './check-connection.js'
import type { DiagnosisProbes } from './probes.js'
import type { DiagnosisCheck } from './records.js'
import { failed, passed, skipped, warning, wordsOf } from './results.js'

/** DAA scores that the indexer may be behind the node: ten are a second. */
const LAG_WARNING = 300n
const LAG_FAILURE = 6_000n

/** Checks the indexer: reachable, its network, and how far it is behind the node (`nodeScore`; null where unknown). */
export async function checkIndexer(
  { rest, target }: DiagnosisProbes,
  limits: Limits,
  nodeScore: () => Promise<bigint | null>,
): Promise<readonly DiagnosisCheck[]> {
  try {
    const { networkName, virtualDaaScore } = await rest.chain(limits)
    const reachable = passed('indexer', `The indexer at ${rest.baseUrl} responds`)
    const network = checkNetwork(networkName, target.network)
    if (network.status === 'failed') {
      return [reachable, network, skipped('indexer-lag', 'The indexer serves another network than the app')]
    }
    return [reachable, network, checkLag(BigInt(virtualDaaScore), await nodeScore())]
  } catch (error) {
    if (limits.signal.aborted) throw error
    const code = error instanceof ChainRestError ? error.code : 'failed'
    const reason = 'The indexer does not respond as one'
    return [
      failed(
        'indexer',
        `The indexer at ${rest.baseUrl} ${OUTCOMES[code] ?? 'failed'}`,
        toRemedy(error),
        wordsOf(error),
      ),
      skipped('indexer-network', reason),
      skipped('indexer-lag', reason),
    ]
  }
}

const OUTCOMES: Partial<Record<ChainRestErrorCode, string>> = {
  network: 'cannot be reached',
  timeout: 'did not respond in time',
  http: 'responds with an error',
  malformed: 'responds, but not as an indexer of Kaspa',
  'unexpected-response': 'responds, but not as an indexer of Kaspa',
  'too-large': 'responds, but not as an indexer of Kaspa',
}

function toRemedy(error: unknown): string {
  const status = error instanceof ChainRestError ? error.status : undefined
  if (status === 401 || status === 403) return 'Pass the credentials of the indexer as the option rest.headers.'
  if (status === 429) return 'Send fewer requests: raise staleTime, or use an indexer of your own.'
  if (status !== undefined && status >= 500) return 'The server is broken: try again later, or set another restUrl.'
  return 'Check restUrl and the network. In a browser, the indexer must allow this origin (CORS).'
}

function checkNetwork(networkName: string, network: string): DiagnosisCheck {
  const id = networkName.replace(/^kaspa-/, '')
  return id === network
    ? passed('indexer-network', `The indexer serves ${network}`)
    : failed('indexer-network', `The indexer serves ${id}, not ${network}`, `Set restUrl to an indexer of ${network}.`)
}

function checkLag(score: bigint, nodeScore: bigint | null): DiagnosisCheck {
  if (nodeScore === null) return skipped('indexer-lag', 'There is no score of the node to compare with')
  const lag = nodeScore - score
  const summary = lag <= 0n ? 'The indexer is as far as the node' : `The indexer is ${lag} DAA scores behind the node`
  const remedy = 'Wait until the indexer has caught up, or set another restUrl.'
  if (lag > LAG_FAILURE) return failed('indexer-lag', summary, remedy)
  return lag > LAG_WARNING ? warning('indexer-lag', summary, remedy) : passed('indexer-lag', summary)
}
