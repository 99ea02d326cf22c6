import { firstValueFrom, takeUntil, timeout, type Observable } from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { RpcEncoding } from '../../model/network.js'
import type { RpcResponse } from '../../node/messages/records.js'
import type { NodeConnection } from '../../node/port.js'
import {
  toDialFailure,
  type DialFailure,
  type CheckId,
  type DiagnosisCheck,
  failed,
  passed,
  skipped,
  wordsOf,
  type DiagnosisProbes,
} from './report.js'

/** Limits of every request. */
export interface Limits {
  /** Ms. */
  readonly timeout: number
  /** Emits when the caller aborts. */
  readonly aborted$: Observable<unknown>
  readonly signal: AbortSignal
}

/** An open connection with the node's information; null where a check failed. */
export interface Opened {
  readonly checks: readonly DiagnosisCheck[]
  readonly connection: NodeConnection | null
  readonly info: RpcResponse<'getServerInfo'> | null
}

/** Checks whether the node can be reached, upgrades to a WebSocket, and speaks wRPC in the encoding. */
export async function checkConnection(url: string, probes: DiagnosisProbes, limits: Limits): Promise<Opened> {
  const { encoding } = probes.target
  try {
    const connection = await dial(url, encoding, probes, limits)
    const opened = [
      passed('reachable', `${url} can be reached`),
      passed('handshake', 'The WebSocket handshake succeeded'),
    ]
    return await greet(connection, opened, probes, limits)
  } catch (error) {
    return { checks: await describeFailure(url, error, probes, limits), connection: null, info: null }
  }
}

/** Resolves to the value of a cold observable within the limits. */
export function within<T>(
  source$: Observable<T>,
  { timeout: first, aborted$ }: Limits,
  { platform }: DiagnosisProbes,
): Promise<T> {
  return firstValueFrom(source$.pipe(timeout({ first, scheduler: platform.scheduler }), takeUntil(aborted$)))
}

const dial = (url: string, encoding: RpcEncoding, probes: DiagnosisProbes, limits: Limits): Promise<NodeConnection> =>
  within(probes.node.dial({ url, encoding }), limits, probes)

/** Requests the node's information; where that fails, tries the other encoding. */
async function greet(
  connection: NodeConnection,
  opened: readonly DiagnosisCheck[],
  probes: DiagnosisProbes,
  limits: Limits,
): Promise<Opened> {
  const { encoding } = probes.target
  try {
    const info = await within(connection.call('getServerInfo', {}, limits), limits, probes)
    const check = passed('encoding', `The node speaks wRPC in ${encoding}`)
    return { checks: [...opened, check], connection, info }
  } catch (error) {
    connection.close()
    const check = await describeNoReply(connection.endpoint.url, error, probes, limits)
    return { checks: [...opened, check], connection: null, info: null }
  }
}

async function describeNoReply(
  url: string,
  error: unknown,
  probes: DiagnosisProbes,
  limits: Limits,
): Promise<DiagnosisCheck> {
  const { encoding } = probes.target
  const other: RpcEncoding = encoding === 'Borsh' ? 'SerdeJson' : 'Borsh'
  if (await speaks(url, other, probes, limits)) {
    const remedy = `Set encoding to '${other}', or url to the node's port for ${encoding}: each encoding has its own port.`
    return failed('encoding', `The node speaks wRPC in ${other}, not in ${encoding}`, remedy)
  }
  if (error instanceof ChainRpcError && error.code === 'remote') {
    const remedy = 'Use a node of version 0.15 to 2.x.'
    return failed('encoding', 'The node rejects the request for its information', remedy, wordsOf(error))
  }
  const remedy = 'Set url to a node’s wRPC port; start kaspad with --rpclisten-borsh and --rpclisten-json.'
  return failed('encoding', 'The server opens WebSockets, but does not speak wRPC', remedy, wordsOf(error))
}

async function speaks(url: string, encoding: RpcEncoding, probes: DiagnosisProbes, limits: Limits): Promise<boolean> {
  try {
    const connection = await dial(url, encoding, probes, limits)
    try {
      await within(connection.call('getServerInfo', {}, limits), limits, probes)
      return true
    } finally {
      connection.close()
    }
  } catch (error) {
    if (limits.signal.aborted) throw error
    return false
  }
}

/** The three checks of a dial that failed. */
async function describeFailure(
  url: string,
  error: unknown,
  probes: DiagnosisProbes,
  limits: Limits,
): Promise<readonly DiagnosisCheck[]> {
  const failure = await classify(url, error, probes, limits)
  const notReachable = toUnreachable(url, failure, limits)
  const encoding = skipped('encoding', 'There is no connection')
  if (notReachable !== null) {
    const [summary, remedy] = notReachable
    const handshake = skipped('handshake', 'The node cannot be reached')
    return [failed('reachable', summary, remedy, wordsOf(error)), handshake, encoding]
  }
  const [summary, remedy] = toRejection(failure)
  return [passed('reachable', `${url} can be reached`), failed('handshake', summary, remedy, wordsOf(error)), encoding]
}

/**
 * Browsers hide the reason of a failed socket; an HTTP request without a readable response shows whether a server is
 * there.
 */
async function classify(
  url: string,
  error: unknown,
  { platform }: DiagnosisProbes,
  { signal, timeout: ms }: Limits,
): Promise<DialFailure> {
  if (error instanceof Error && error.name === 'TimeoutError') return { kind: 'no-response' }
  const failure = toDialFailure(error)
  if (failure.kind !== 'opaque') return failure
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ms)])
    const { status } = await platform.fetch(url.replace(/^ws/i, 'http'), { mode: 'no-cors', signal: limited })
    return { kind: 'http', status }
  } catch (cause) {
    const found = toDialFailure(cause)
    return found.kind === 'opaque' ? { kind: 'refused' } : found
  }
}

type Words = readonly [summary: string, remedy: string]

function toUnreachable(url: string, { kind }: DialFailure, { timeout: ms }: Limits): Words | null {
  const { host, hostname } = new URL(url)
  switch (kind) {
    case 'refused':
      return [`No server listens at ${host}`, 'Start a node there, or set url to a running node.']
    case 'unknown-host':
      return [`The host name ${hostname} cannot be resolved`, 'Check the spelling of url, and the DNS of this machine.']
    case 'unreachable':
      return [`There is no route to ${host}`, 'Check the network, the firewall and the address in url.']
    case 'no-response':
      return [
        `${host} did not respond within ${ms} ms`,
        'Check the firewall and the port, or whether the node is overloaded.',
      ]
    default:
      return null
  }
}

function toRejection(failure: DialFailure): Words {
  switch (failure.kind) {
    case 'http':
      return toHttpRejection(failure.status)
    case 'tls':
      return [
        'TLS could not be established',
        'Use a certificate that this machine trusts; for a port without TLS use ws:// in url.',
      ]
    case 'not-http':
      return [
        'The server speaks neither HTTP nor WebSocket: this is probably the gRPC or P2P port of a node',
        'Set url to the wRPC port: 17110 for Borsh, 18110 for SerdeJson on mainnet.',
      ]
    default:
      return [
        'The server closed the connection instead of upgrading it: this is probably no wRPC port',
        'Set url to the wRPC port: 17110 for Borsh, 18110 for SerdeJson on mainnet.',
      ]
  }
}

/** Status 0 is the response that a browser hides. */
function toHttpRejection(status: number): Words {
  const summary =
    status === 0 ? 'A web server responds, but opens no WebSocket' : `A web server responds with status ${status}`
  if (status === 401 || status === 403 || status === 407) {
    return [
      `${summary}: it demands permission`,
      'Check the credentials in url, the allowed origins of the node, and the proxy.',
    ]
  }
  if (status >= 502 && status <= 504) {
    return [
      `${summary}: a proxy without its node`,
      'Start the node behind the proxy, and check the address that the proxy uses.',
    ]
  }
  return [
    status === 0 ? summary : `${summary} and opens no WebSocket`,
    'Set url to a node’s wRPC port. Behind a proxy, forward the headers Upgrade and Connection.',
  ]
}

/** The ids of all checks of a connection, where none can be made. */
export const CONNECTION_CHECKS: readonly CheckId[] = ['reachable', 'handshake', 'encoding']
