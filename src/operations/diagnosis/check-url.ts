import { NETWORKS, type RpcEncoding } from '../../model/network.js'
import { isLoopbackHost } from '../../model/ip.js'
import type { DiagnosisTarget } from './probes.js'
import type { DiagnosisCheck } from './records.js'
import { failed, passed, skipped, warning } from './results.js'

/** A node's gRPC port lies this far below its wRPC port for Borsh, its P2P port one above the gRPC port. */
const GRPC_OFFSET = 1_000

/** Checks scheme, mixed content and port. `url` is configured, or comes from a resolver. */
export function checkUrl(
  url: string | null,
  { encoding, others, network }: DiagnosisTarget,
  secure: boolean,
): DiagnosisCheck {
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
