import { isHex } from '../hex.js'
import { arePackedOutpoints, countOutpoints, joinOutpoints, sliceOutpoints } from './packed-outpoints.js'

/** An output of a claimed payment that returns to the payer. */
interface ClaimedOutput {
  readonly index: number
  /** Sompi. */
  readonly value: bigint
  readonly scriptPublicKey: { readonly version: number; readonly script: string }
}

/**
 * The UTXOs that a tab has reserved for one transaction, as all tabs of its origin see it. It names no recipient: it is
 * on a disk.
 */
export interface Claim {
  readonly version: 1
  /** The id of the transaction. */
  readonly id: string
  /** Packed. */
  readonly outpoints: Uint8Array
  /** A claim of a payout journal never expires. */
  readonly kind: 'payment' | 'payout'
  /** `sent`: it is signed, and a node or another process may have it. */
  readonly state: 'planned' | 'sent'
  /** A tab that has a claim holds the Web Lock of this name. Of a payout: database and wallet of the journal. */
  readonly owner: string
  /** Unix ms, by the clock of the owner: differs from that of an earlier claim of the payment, and decides nothing. */
  readonly at: number
  readonly change: readonly ClaimedOutput[]
  /** The payment that it replaces (RBF), whose outpoints it spends again. */
  readonly replaces?: string | undefined
}

/** Records and outpoints of one record, at most: more are not written by this library. */
export const [MAX_CLAIMS, MAX_OUTPOINTS] = [1_000, 10_000]

/**
 * A stored record as a claim; undefined where another script has written or damaged it. One of a newer version is a
 * claim too: its outpoints are always the same field.
 */
export function parseClaim(value: unknown): Claim | undefined {
  if (!isRecord(value)) return undefined
  const { version, id, outpoints, kind, state, owner, at, change, replaces } = value
  if (!isHex(id, 32)) return undefined
  if (!arePackedOutpoints(outpoints, MAX_OUTPOINTS)) return undefined
  if (typeof owner !== 'string' || owner === '' || owner.length > MAX_OWNER || typeof at !== 'number') return undefined
  const isNewer = typeof version === 'number' && version > 1
  const isKnown =
    version === 1 && (kind === 'payment' || kind === 'payout') && (state === 'planned' || state === 'sent')
  if (!Number.isFinite(at) || (!isKnown && !isNewer)) return undefined
  return {
    version: 1,
    id,
    outpoints,
    kind: kind === 'payout' ? 'payout' : 'payment',
    state: state === 'planned' ? 'planned' : 'sent',
    owner,
    at,
    change: toChange(change),
    ...(isHex(replaces, 32) && { replaces }),
  }
}

/** The outputs that a stored value lists; none where it is damaged. */
const toChange = (value: unknown): readonly ClaimedOutput[] =>
  Array.isArray(value) && value.length <= MAX_CHANGE && value.every(isOutput) ? value : []

const MAX_CHANGE = 1_000

/** Characters: the names of a journal's database and of its wallet. */
const MAX_OWNER = 400

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isOutput = (value: unknown): value is ClaimedOutput =>
  isRecord(value) &&
  Number.isSafeInteger(value.index) &&
  Number(value.index) >= 0 &&
  Number(value.index) < MAX_CHANGE &&
  typeof value.value === 'bigint' &&
  value.value >= 0n &&
  isRecord(value.scriptPublicKey) &&
  typeof value.scriptPublicKey.version === 'number' &&
  typeof value.scriptPublicKey.script === 'string' &&
  /^([0-9a-f]{2})*$/.test(value.scriptPublicKey.script)

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
