import type { OutpointKey } from '../utxo.js'
import type { Claim } from './claim.js'

/** All claims of an origin and a network, by id. */
export type Claims = ReadonlyMap<string, Claim>

/**
 * What a tab requests.
 * - `claim`: the outpoints of all claims, or none; `replaces` is the payment whose outpoints may be claimed again.
 * - `sent`: before the first byte is sent. A claim that was expired meanwhile is taken again.
 * - `end`: the payments are released, rejected or settled.
 * - `expire`: of tabs that have ended.
 */
export type ClaimRequest =
  | { readonly type: 'claim' | 'sent'; readonly claims: readonly Claim[]; readonly replaces?: string | undefined }
  | { readonly type: 'end'; readonly ids: readonly string[] }
  | {
      readonly type: 'expire'
      /** Claims as they were read before the lock of their owner was found free: a tab that resumes claims again. */
      readonly ended: Claims
      /** The ms since this tab has read a claim first, by its monotonic clock: other clocks jump. */
      readonly knownFor: (claim: Claim) => number
    }

/** The next claims; the same object where the request has no effect, as one that is refused. */
export function reduceClaims(claims: Claims, request: ClaimRequest): Claims {
  switch (request.type) {
    case 'claim':
    case 'sent':
      return add(claims, request)
    case 'end':
      return without(claims, (claim) => request.ids.includes(claim.id))
    case 'expire':
      return without(claims, (claim) => isOver(claim, request))
  }
}

/** Whether a request has its claims. */
export const hasClaims = (claims: Claims, wanted: readonly Claim[]): boolean =>
  wanted.every(({ id, owner }) => claims.get(id)?.owner === owner)

function add(claims: Claims, request: Extract<ClaimRequest, { readonly type: 'claim' | 'sent' }>): Claims {
  const own = new Set(request.claims.map(({ id }) => id))
  const taken = new Map<OutpointKey, Claim>()
  for (const claim of claims.values())
    if (!own.has(claim.id) && claim.id !== request.replaces)
      for (const outpoint of claim.outpoints) taken.set(outpoint, claim)
  const isFree = ({ id, owner, outpoints }: Claim): boolean => {
    const known = claims.get(id)
    return (known === undefined || known.owner === owner) && outpoints.every((outpoint) => !taken.has(outpoint))
  }
  if (!request.claims.every(isFree)) return claims
  const next = new Map(claims)
  for (const claim of request.claims) next.set(claim.id, request.type === 'sent' ? { ...claim, state: 'sent' } : claim)
  return next
}

function without(claims: Claims, isOut: (claim: Claim) => boolean): Claims {
  const left = [...claims.values()].filter((claim) => !isOut(claim))
  return left.length === claims.size ? claims : new Map(left.map((claim) => [claim.id, claim]))
}

/** Ms after which a claim is forgotten whose tab has ended: as long as a reservation in its tab. */
export const CLAIM_TIMEOUT = 60_000

/** A tab that was closed before it sent anything never will. What it may have sent is respected for a while. */
function isOver(claim: Claim, { ended, knownFor }: Extract<ClaimRequest, { readonly type: 'expire' }>): boolean {
  const read = ended.get(claim.id)
  if (claim.kind === 'payout' || read?.owner !== claim.owner || read.at !== claim.at) return false
  return claim.state === 'planned' || knownFor(claim) >= CLAIM_TIMEOUT
}
