import { candidatesOf, type Candidate, type Target } from './target.js'

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
