import { ChainError } from '../../errors/chain-error.js'
import { abort$, abortable } from '../../loading/abortable.js'
import { checkConnection, CONNECTION_CHECKS, within, type Limits } from './check-connection.js'
import { checkNode, NODE_CHECKS } from './check-node.js'
import { checkOnline, checkPage, checkWallets, checkSharing, checkWasm } from './check-page.js'
import {
  type DiagnosisProbes,
  type DiagnosisTarget,
  type DiagnoseOptions,
  type Diagnosis,
  type DiagnosisCheck,
  failed,
  passed,
  skipped,
  wordsOf,
  warning,
} from './report.js'
import { NETWORKS, type RpcEncoding } from '../../model/network.js'
import { isLoopbackHost } from '../../model/ip.js'
import { ChainRestError, type ChainRestErrorCode } from '../../errors/rest-error.js'

const TIMEOUT = 5_000

/**
 * Runs all checks, each bounded, all read-only, on connections of their own. Rejects with `ChainError`: `aborted` by
 * `signal`, `invalid-argument` for a `timeout` that is no positive number.
 */
export async function diagnose(probes: DiagnosisProbes, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { signal = new AbortController().signal, timeout = TIMEOUT } = options
  if (!(timeout > 0)) {
    throw new ChainError('timeout is not a positive number', { code: 'invalid-argument', argument: 'timeout' })
  }
  return abortable(signal, () => runChecks(probes, { timeout, signal, aborted$: abort$(signal) }), aborted)
}

const aborted = (reason: unknown): ChainError =>
  new ChainError('The diagnosis was aborted', { code: 'aborted', cause: reason })

async function runChecks(probes: DiagnosisProbes, limits: Limits): Promise<Diagnosis> {
  const { platform, wallets, target, sharing } = probes
  const node = checkEndpoint(probes, limits)
  const nodeScore = async (): Promise<bigint | null> => (await node).score
  const parts = await Promise.all([
    checkOnline(platform),
    checkPage(platform),
    node.then(({ checks }) => checks),
    checkIndexer(probes, limits, nodeScore),
    checkWasm(probes, limits),
    checkWallets(wallets, target.network, platform),
  ])
  const checks = [...parts, checkSharing(sharing)].flat()
  return { ok: checks.every(({ status }) => status !== 'failed'), checks }
}

interface EndpointChecks {
  readonly checks: readonly DiagnosisCheck[]
  /** The node's DAA score; null where it is unknown. */
  readonly score: bigint | null
}

/** Checks the URL, the resolver, the connection and the node, in this order. */
async function checkEndpoint(probes: DiagnosisProbes, limits: Limits): Promise<EndpointChecks> {
  const resolved = await checkResolver(probes, limits)
  const url = probes.target.url ?? resolved.url
  const urlCheck = checkUrl(url, probes.target, probes.platform.secure)
  const before = [urlCheck, resolved.check]
  if (url === null || urlCheck.status === 'failed') {
    const reason = 'There is no URL that may be used'
    return {
      checks: [...before, ...[...CONNECTION_CHECKS, ...NODE_CHECKS].map((id) => skipped(id, reason))],
      score: null,
    }
  }
  const { checks, connection, info } = await checkConnection(url, probes, limits)
  if (connection === null || info === null) {
    const skippedChecks = NODE_CHECKS.map((id) => skipped(id, 'There is no connection'))
    return { checks: [...before, ...checks, ...skippedChecks], score: null }
  }
  try {
    const nodeChecks = await checkNode(connection, info, probes, limits)
    const isOfNetwork = info.networkId === probes.target.network
    return { checks: [...before, ...checks, ...nodeChecks], score: isOfNetwork ? info.virtualDaaScore : null }
  } finally {
    connection.close()
  }
}

async function checkResolver(
  probes: DiagnosisProbes,
  limits: Limits,
): Promise<{ readonly check: DiagnosisCheck; readonly url: string | null }> {
  if (probes.target.resolver === 'skip') {
    return { check: skipped('resolver', 'The app uses no resolver'), url: null }
  }
  try {
    const url = await within(probes.resolve(), limits, probes)
    return { check: passed('resolver', `The resolver returns ${url}`), url }
  } catch (error) {
    if (limits.signal.aborted) throw error
    const remedy = 'Check the network and the option resolvers, or set url to a node.'
    return { check: failed('resolver', 'No resolver returns a node', remedy, wordsOf(error)), url: null }
  }
}

/** A node's gRPC port lies this far below its wRPC port for Borsh, its P2P port one above the gRPC port. */
const GRPC_OFFSET = 1_000

/** Checks scheme, mixed content and port. `url` is configured, or comes from a resolver. */
function checkUrl(url: string | null, { encoding, others, network }: DiagnosisTarget, secure: boolean): DiagnosisCheck {
  if (url === null) return skipped('url', 'There is no URL: the resolver provides none')
  const { protocol, hostname, port } = new URL(url)
  const example = NETWORKS[network][portOf(encoding)]
  if (protocol !== 'ws:' && protocol !== 'wss:') {
    return failed('url', `${url} is not a WebSocket URL`, `Set url to ws://${hostname}:${example}, or to a wss:// URL.`)
  }
  if (secure && protocol === 'ws:' && !isLoopbackHost(hostname)) {
    const remedy = 'Serve the node behind TLS and set url to its wss:// URL, or use a public node by the resolver.'
    return failed('url', `An https page may not open ${url}, which is not encrypted (mixed content)`, remedy)
  }
  const wrong = describePort(Number(port), encoding)
  if (wrong !== null) return warning('url', wrong.summary, wrong.remedy)
  const detail = others === 0 ? '' : `${others} further URLs are configured and were not checked.`
  return passed('url', `${url} is a WebSocket URL`, detail)
}

const portOf = (encoding: RpcEncoding) => (encoding === 'Borsh' ? 'borshPort' : 'jsonPort')

/** Where the port is the usual one of something else. */
function describePort(port: number, encoding: RpcEncoding): { summary: string; remedy: string } | null {
  for (const network of Object.values(NETWORKS)) {
    const own = network[portOf(encoding)]
    const grpc = network.borshPort - GRPC_OFFSET
    const remedy = `Set url to port ${own}, the one of wRPC for ${encoding} on ${network.id}.`
    if (port === grpc) return { summary: `Port ${port} is the usual gRPC port of a node, not wRPC`, remedy }
    if (port === grpc + 1) return { summary: `Port ${port} is the usual P2P port of a node, not wRPC`, remedy }
    const [name, other] = encoding === 'Borsh' ? ['SerdeJson', network.jsonPort] : ['Borsh', network.borshPort]
    if (port === other) return { summary: `Port ${port} is the usual wRPC port of ${name}, not of ${encoding}`, remedy }
  }
  return null
}

/** DAA scores that the indexer may be behind the node: ten are a second. */
const LAG_WARNING = 300n
const LAG_FAILURE = 6_000n

/** Checks the indexer: reachable, its network, and how far it is behind the node (`nodeScore`; null where unknown). */
async function checkIndexer(
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
