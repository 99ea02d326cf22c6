import { candidatesOf, type Candidate, type Target } from './target.js'

/** What is remembered of endpoints, so that the next attempt goes elsewhere. Keys are URLs, or `resolver`. */
export interface EndpointMemory {
  /** When each was last at fault (Unix ms): it failed, was out of sync, lagged, or lacked the UTXO index. */
  readonly faults: ReadonlyMap<string, number>
  /** Those that refused for good: another network, another protocol, no address at all. Not dialled again. */
  readonly refused: ReadonlySet<string>
}

/** How long, in ms, a fault counts. */
const FAULT_MEMORY = 600_000

export const NO_MEMORY: EndpointMemory = { faults: /*#__PURE__*/ new Map(), refused: /*#__PURE__*/ new Set() }

/**
 * Whom to try next: the first in the order of preference that is without fault, else the one whose fault is oldest.
 * Since each failure is a fault, attempt after attempt takes the next. Null when all have refused for good.
 */
export function chooseCandidate(target: Target, memory: EndpointMemory): Candidate | null {
  const open = candidatesOf(target).filter((candidate) => !memory.refused.has(toKey(candidate)))
  const faultOf = (candidate: Candidate): number => memory.faults.get(toKey(candidate)) ?? -Infinity
  return open.sort((a, b) => faultOf(a) - faultOf(b) || 0)[0] ?? null
}

/** Remembers that a candidate, and the node it led to, were at fault; what is long past is forgotten. */
export function rememberFault(
  memory: EndpointMemory,
  candidate: Candidate,
  url: string | null,
  at: number,
): EndpointMemory {
  const faults = new Map([...memory.faults].filter(([, when]) => at - when < FAULT_MEMORY))
  faults.set(toKey(candidate), at)
  if (url !== null) faults.set(url, at)
  return { ...memory, faults }
}

/** Forgives a candidate and the node it led to. */
export function forgive(memory: EndpointMemory, candidate: Candidate, url: string): EndpointMemory {
  if (!memory.faults.has(toKey(candidate)) && !memory.faults.has(url)) return memory
  const faults = new Map(memory.faults)
  faults.delete(toKey(candidate))
  faults.delete(url)
  return { ...memory, faults }
}

/** Remembers that the node at `url` refused for good. */
export function rememberRefusal(memory: EndpointMemory, url: string): EndpointMemory {
  return { ...memory, refused: new Set([...memory.refused, url]) }
}

/** Gives those that refused another chance: someone has asked anew. */
export function forgetRefusals(memory: EndpointMemory): EndpointMemory {
  return memory.refused.size === 0 ? memory : { ...memory, refused: NO_MEMORY.refused }
}

/** Nodes that a resolver should not send us to again. */
export const toAvoid = (memory: EndpointMemory): ReadonlySet<string> =>
  new Set([...memory.refused, ...memory.faults.keys()])

const toKey = (candidate: Candidate): string => (candidate.via === 'url' ? candidate.url : 'resolver')
