import { ChainError } from '../../errors/chain-error.js'
import { abort$, abortable } from '../../loading/abortable.js'
import { checkConnection, CONNECTION_CHECKS, within, type Limits } from './check-connection.js'
import { checkNode, NODE_CHECKS } from './check-node.js'
import { checkOnline, checkPage, checkWallets } from './check-page.js'
import { checkIndexer } from './check-indexer.js'
import { checkUrl } from './check-url.js'
import { checkSharing } from './check-sharing.js'
import { checkWasm } from './check-wasm.js'
import type { DiagnosisProbes } from './probes.js'
import type { DiagnoseOptions, Diagnosis, DiagnosisCheck } from './records.js'
import { failed, passed, skipped, wordsOf } from './results.js'

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
