import type { ChainNetwork, RpcEncoding } from '../../model/network.js'

/** The nodes that a connection may use: any node of the network at these URLs or from a resolver. */
export interface Target {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  /** In order of preference. */
  readonly urls: readonly string[]
  /** Whether a resolver may provide further URLs. */
  readonly resolver: 'use' | 'skip'
}

/** A source of a node URL: a configured URL or a resolver. */
export type Candidate = { readonly via: 'url'; readonly url: string } | { readonly via: 'resolver' }

/** The candidates of a target, in order of preference. */
function candidatesOf(target: Target): readonly Candidate[] {
  const given = target.urls.map((url): Candidate => ({ via: 'url', url }))
  return target.resolver === 'use' ? [...given, { via: 'resolver' }] : given
}

/** Whether two targets are equal. */
export function isSameTarget(a: Target, b: Target): boolean {
  return (
    a.network === b.network &&
    a.encoding === b.encoding &&
    a.resolver === b.resolver &&
    a.urls.length === b.urls.length &&
    a.urls.every((url, at) => url === b.urls[at])
  )
}

/** Whether all URLs are loopback addresses, which work without a network. */
export function isLocal(target: Target): boolean {
  return target.resolver === 'skip' && target.urls.every((url) => LOOPBACK.test(url))
}

const LOOPBACK = /^wss?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i

/** Failures of endpoints, for the choice of the next candidate. Keys are URLs, or `resolver`. */
export interface EndpointMemory {
  /** Unix ms of the last fault: a failure, not synced, lagging, or no UTXO index. */
  readonly faults: ReadonlyMap<string, number>
  /** Permanent refusals: another network, another protocol, an invalid URL. Not dialled again. */
  readonly refused: ReadonlySet<string>
}

/** Ms until a fault expires. */
const FAULT_TTL = 600_000

/** Endpoints with a fault, and refused ones, at most. */
const MAX_REMEMBERED = 1_000

export const NO_MEMORY: EndpointMemory = { faults: /*#__PURE__*/ new Map(), refused: /*#__PURE__*/ new Set() }

/**
 * The next candidate: the first in order of preference without a fault, else the one with the oldest fault. Each
 * failure is a fault, so retries rotate through the candidates. Null if all have refused.
 */
export function chooseCandidate(target: Target, memory: EndpointMemory): Candidate | null {
  const open = candidatesOf(target).filter((candidate) => !memory.refused.has(toKey(candidate)))
  const faultOf = (candidate: Candidate): number => memory.faults.get(toKey(candidate)) ?? -Infinity
  return open.sort((a, b) => faultOf(a) - faultOf(b) || 0)[0] ?? null
}

/** Records a fault of a candidate and of the node it resolved to. Removes expired faults. */
export function recordFault(
  memory: EndpointMemory,
  candidate: Candidate,
  url: string | null,
  at: number,
): EndpointMemory {
  const recent = [...memory.faults].filter(([, when]) => at - when < FAULT_TTL)
  const faults = new Map(recent.slice(2 - MAX_REMEMBERED))
  faults.set(toKey(candidate), at)
  if (url !== null) faults.set(url, at)
  return { ...memory, faults }
}

/** Removes the faults of a candidate and of the node it resolved to. */
export function clearFault(memory: EndpointMemory, candidate: Candidate, url: string): EndpointMemory {
  if (!memory.faults.has(toKey(candidate)) && !memory.faults.has(url)) return memory
  const faults = new Map(memory.faults)
  faults.delete(toKey(candidate))
  faults.delete(url)
  return { ...memory, faults }
}

/** Records a permanent refusal of the node at `url`. Forgets the oldest: a resolver may invent URLs without end. */
export function recordRefusal(memory: EndpointMemory, url: string): EndpointMemory {
  return { ...memory, refused: new Set([...[...memory.refused].slice(1 - MAX_REMEMBERED), url]) }
}

/** Removes all refusals, for a new connect request. */
export function clearRefusals(memory: EndpointMemory): EndpointMemory {
  return memory.refused.size === 0 ? memory : { ...memory, refused: NO_MEMORY.refused }
}

/** The nodes that a resolver should avoid. */
export const avoidedUrls = (memory: EndpointMemory): ReadonlySet<string> =>
  new Set([...memory.refused, ...memory.faults.keys()])

const toKey = (candidate: Candidate): string => (candidate.via === 'url' ? candidate.url : 'resolver')
