import type { Claim } from './claim.js'
import { haveCommonOutpoint } from './packed-outpoints.js'

/** All claims of an origin and a network, by id. */
export type Claims = ReadonlyMap<string, Claim>

/**
 * What a tab requests.
 * - `claim`: the outpoints of all claims, or none; those of payments that they replace may be claimed again. Once more
 *   before the first byte is sent, as `sent`: one that was expired meanwhile is taken again.
 * - `end`: payments of `owner` that are released or rejected, and payments of any tab that are settled or replaced.
 * - `expire`: of tabs that have ended, and of journals that do not have the payout.
 * - `mirror`: the claims of a journal are these. None is refused: they are signed, and stored.
 */
export type ClaimRequest =
  | {
      readonly type: 'claim'
      readonly claims: readonly Claim[]
      /** As of `expire`: the same payment of a tab that has ended is taken over. */
      readonly ended?: Claims | undefined
    }
  | {
      readonly type: 'end'
      readonly owner: string
      readonly released: readonly string[]
      readonly settled: readonly string[]
    }
  | {
      readonly type: 'expire'
      /** Claims as they were read before the lock of their owner was found free: a tab that resumes claims again. */
      readonly ended: Claims
      /** The ms since this tab has read a claim first, by its monotonic clock: other clocks jump. */
      readonly knownFor: (claim: Claim) => number
    }
  | { readonly type: 'mirror'; readonly owner: string; readonly claims: readonly Claim[] }

/** The next claims; the same object where the request has no effect, as one that is refused. */
export function reduceClaims(claims: Claims, request: ClaimRequest): Claims {
  switch (request.type) {
    case 'claim':
      return add(claims, request)
    case 'end':
      return without(claims, (claim) => isEnded(claim, request))
    case 'expire':
      return without(claims, (claim) => isOver(claim, request))
    case 'mirror':
      return mirror(claims, request)
  }
}

/** Whether a request has its claims. */
export const hasClaims = (claims: Claims, wanted: readonly Claim[]): boolean =>
  wanted.every(({ id, owner }) => claims.get(id)?.owner === owner)

function add(claims: Claims, request: Extract<ClaimRequest, { readonly type: 'claim' }>): Claims {
  const passed = new Set(request.claims.flatMap((claim) => [claim.id, ...replacedBy(claim, claims)]))
  const taken = [...claims.values()].filter(({ id }) => !passed.has(id))
  const isFree = ({ id, owner }: Claim): boolean => {
    const known = claims.get(id)
    return known === undefined || known.owner === owner || isSame(request.ended?.get(id), known)
  }
  if (!request.claims.every(isFree) || haveCommonOutpoint(request.claims.map(toOutpoints), taken.map(toOutpoints)))
    return claims
  const next = new Map(claims)
  for (const claim of request.claims) {
    const isSent = claims.get(claim.id)?.state === 'sent' // a node may have it still
    next.set(claim.id, isSent ? { ...claim, state: 'sent' } : claim)
  }
  return next
}

const toOutpoints = ({ outpoints }: Claim): Uint8Array => outpoints

/** The payments that a claim replaces, directly and indirectly. A journal replaces its payouts itself. */
function replacedBy({ replaces }: Claim, claims: Claims): ReadonlySet<string> {
  const replaced = new Set<string>()
  for (let id = replaces; id !== undefined && !replaced.has(id); id = claims.get(id)?.replaces) {
    if (claims.get(id)?.kind === 'payout') break
    replaced.add(id)
  }
  return replaced
}

function mirror(claims: Claims, request: Extract<ClaimRequest, { readonly type: 'mirror' }>): Claims {
  const wanted = new Map(request.claims.map((claim) => [claim.id, claim]))
  const isStale = ({ id, kind, owner }: Claim): boolean =>
    kind === 'payout' && owner === request.owner && !wanted.has(id)
  const left = without(claims, isStale)
  const added = request.claims.filter(
    ({ id, kind, owner }) => left.get(id)?.kind !== kind || left.get(id)?.owner !== owner,
  )
  return added.length === 0 ? left : new Map([...left, ...added.map((claim) => [claim.id, claim] as const)])
}

function without(claims: Claims, isOut: (claim: Claim) => boolean): Claims {
  const left = [...claims.values()].filter((claim) => !isOut(claim))
  return left.length === claims.size ? claims : new Map(left.map((claim) => [claim.id, claim]))
}

/** What a tab has released may be claimed by another one since. */
const isEnded = ({ id, kind, owner }: Claim, request: Extract<ClaimRequest, { readonly type: 'end' }>): boolean =>
  kind === 'payment' && (request.settled.includes(id) || (owner === request.owner && request.released.includes(id)))

/** Ms after which a claim is forgotten whose tab has ended: as long as a reservation in its tab. */
export const CLAIM_TIMEOUT = 60_000

/** A tab that was closed before it sent anything never will. What it may have sent is respected for a minute. */
function isOver(claim: Claim, { ended, knownFor }: Extract<ClaimRequest, { readonly type: 'expire' }>): boolean {
  if (!isSame(ended.get(claim.id), claim)) return false
  return claim.kind === 'payout' || claim.state === 'planned' || knownFor(claim) >= CLAIM_TIMEOUT
}

/** Whether a claim was not made again since it was read. */
const isSame = (read: Claim | undefined, claim: Claim): boolean => read?.owner === claim.owner && read.at === claim.at
