import { isHex } from '../hex.js'
import { toChange, parseClaim, type Claim } from './claim.js'
import { countOutpoints, joinOutpoints, sliceOutpoints } from './packed-outpoints.js'

/**
 * Claims as one record: that of the last transaction, with the outpoints of all. An earlier release, which has a record
 * a transaction, reads it as a claim of the last one that has them all.
 */
export type ClaimRecord = Claim | PlanRecord

interface PlanRecord extends Omit<Claim, 'version'> {
  readonly version: 2
  /** In the order of their outpoints. */
  readonly payments: readonly PlannedPayment[]
}

/** What differs among the claims of a record. */
interface PlannedPayment extends Pick<Claim, 'id' | 'change'> {
  /** The number of its outpoints. */
  readonly outpoints: number
}

/** Outpoints of a record of several claims, at most: Chromium stores records above 64 KiB as files. */
const PER_RECORD = 1_500

/** Claims by the records that they are stored in: those of one plan together. */
export function groupClaims(claims: readonly Claim[]): readonly (readonly Claim[])[] {
  const groups: Claim[][] = []
  let outpoints = 0
  for (const claim of claims) {
    const [group, count] = [groups.at(-1), countOutpoints(claim.outpoints)]
    const isPart = group?.[0] !== undefined && isSamePlan(group[0], claim) && outpoints + count <= PER_RECORD
    outpoints = isPart ? outpoints + count : count
    if (isPart) group.push(claim)
    else groups.push([claim])
  }
  return groups
}

/** A journal has its payouts one by one. */
const isSamePlan = (one: Claim, other: Claim): boolean =>
  one.kind === 'payment' &&
  other.kind === 'payment' &&
  one.state === other.state &&
  one.owner === other.owner &&
  one.at === other.at &&
  one.replaces === other.replaces

/** The record of a group, which is not empty. */
export function toRecord(claims: readonly Claim[]): ClaimRecord {
  const last = claims.reduce((_, claim) => claim)
  if (claims.length === 1) return last
  return {
    ...last,
    version: 2,
    outpoints: joinOutpoints(claims.map(({ outpoints }) => outpoints)),
    payments: claims.map(({ id, outpoints, change }) => ({ id, outpoints: countOutpoints(outpoints), change })),
  }
}

/** The claims of a stored record; undefined where it is none. One whose payments are damaged is one claim of all. */
export function parseRecord(value: unknown): readonly Claim[] | undefined {
  const all = parseClaim(value)
  if (all === undefined) return undefined
  return paymentsOf(value, all) ?? [all]
}

function paymentsOf(value: unknown, all: Claim): readonly Claim[] | undefined {
  const { version, payments } = value as Readonly<Record<string, unknown>>
  if (version !== 2 || !Array.isArray(payments)) return undefined
  const total = countOutpoints(all.outpoints)
  const claims = new Map<string, Claim>()
  let left = total
  for (const payment of payments) {
    const { id, outpoints: count, change } = Object(payment) as Readonly<Record<string, unknown>>
    if (!isHex(id, 32) || claims.has(id) || !isCount(count, left)) return undefined
    claims.set(id, {
      ...all,
      id,
      outpoints: sliceOutpoints(all.outpoints, total - left, count),
      change: toChange(change),
    })
    left -= count
  }
  return left === 0 && [...claims.keys()].at(-1) === all.id ? [...claims.values()] : undefined
}

const isCount = (value: unknown, max: number): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= max
