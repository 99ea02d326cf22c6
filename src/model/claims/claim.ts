import { isHex } from '../hex.js'
import { arePackedOutpoints } from './packed-outpoints.js'

/** An output of a claimed payment that returns to the payer. */
export interface ClaimedOutput {
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
export const toChange = (value: unknown): readonly ClaimedOutput[] =>
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
