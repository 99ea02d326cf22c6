import { isValidAddress } from '../address.js'
import { MAX_SOMPI } from '../amount.js'
import { isHex, toHex } from '../hex.js'
import type { ChainNetwork } from '../network.js'
import { blake2b256InSteps, blake2b256 } from '../hashing.js'

/** What one address had, in sompi. */
interface LastBalance {
  readonly mature: bigint
  readonly unconfirmed: bigint
  readonly immature: bigint
  readonly bound: bigint
}

/** The last known balances of a set of addresses: all that is stored of them. No field can hold a secret. */
export interface LastSummary {
  readonly network: ChainNetwork
  /** When the node showed them, Unix ms. */
  readonly asOf: number
  readonly daaScore: bigint
  readonly byAddress: ReadonlyMap<string, LastBalance>
  /** The digest of the record of their UTXOs, in hex; null where it was too long to be stored. */
  readonly columns: string | null
}

/** The first field of each record. */
export const LAST_STATE_VERSION = 1

/** The record of balances, in steps of some ms. */
export function encodeSummary(summary: LastSummary): Generator<undefined, Sealed> {
  const { network, asOf, daaScore, byAddress, columns } = summary
  const balances = Array.from(byAddress, ([address, balance]) => [
    address,
    ...[balance.mature, balance.unconfirmed, balance.immature, balance.bound].map(String),
  ])
  const text = JSON.stringify([LAST_STATE_VERSION, network, asOf, String(daaScore), columns, balances])
  return seal([new TextEncoder().encode(text)])
}

/** Whose record is read, and when. */
interface ExpectedSummary {
  readonly key: string
  readonly network: ChainNetwork
  /** Unix ms. */
  readonly now: number
  /** Ms. */
  readonly maxAge: number
}

/**
 * The balances of a record, which is checked as what a node reports is; in steps of some ms. Undefined where it is
 * damaged, of another network, version or set of addresses, of the future, or older than `maxAge`.
 */
export function* decodeSummary(
  record: unknown,
  expected: ExpectedSummary,
): Generator<undefined, LastSummary | undefined> {
  const sealed = yield* unseal(record)
  const fields = sealed && parseJson(sealed.bytes)
  if (!Array.isArray(fields) || fields.length !== 6) return undefined
  const [version, network, asOf, daaScore, columns, balances] = fields as readonly unknown[]
  if (version !== LAST_STATE_VERSION || network !== expected.network) return undefined
  if (!isWithin(asOf, expected) || !isScore(daaScore) || !isDigest(columns)) return undefined
  const byAddress = toBalances(balances, expected.network)
  if (byAddress === undefined || toSetKey([...byAddress.keys()]) !== expected.key) return undefined
  return { network: expected.network, asOf, daaScore: BigInt(daaScore), byAddress, columns }
}

/** Whether what was known at `asOf` may still be shown. */
const isWithin = (asOf: unknown, { now, maxAge }: Pick<ExpectedSummary, 'now' | 'maxAge'>): asOf is number =>
  Number.isSafeInteger(asOf) && Number(asOf) <= now && Number(asOf) >= now - maxAge

/** The value of a JSON text; undefined where it is none. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined // another script has written it, with a digest that fits
  }
}

function toBalances(given: unknown, network: ChainNetwork): ReadonlyMap<string, LastBalance> | undefined {
  if (!Array.isArray(given)) return undefined
  const balances = new Map<string, LastBalance>()
  let sum = 0n
  for (const each of given as readonly unknown[]) {
    if (!Array.isArray(each) || each.length !== 5) return undefined
    const [address, ...amounts] = each as readonly unknown[]
    if (!isValidAddress(address, network) || balances.has(address) || !amounts.every(isAmount)) return undefined
    const [mature = 0n, unconfirmed = 0n, immature = 0n, bound = 0n] = amounts.map(BigInt)
    sum += mature + unconfirmed + immature + bound
    balances.set(address, { mature, unconfirmed, immature, bound })
  }
  return sum <= MAX_SOMPI ? balances : undefined
}

const isDigest = (value: unknown): value is string | null => value === null || isHex(value, 32)

const isScore = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,20}$/.test(value) && BigInt(value) < 2n ** 64n

const isAmount = (value: unknown): value is string => typeof value === 'string' && /^\d{1,19}$/.test(value)

/** Bytes of a digest. */
const DIGEST = 32

/** A stored record: its contents, and their digest. It finds damage; another script of the origin can write both. */
export interface Sealed {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly digest: Uint8Array
}

/** Appends the digest, in steps of some ms. */
export function* seal(contents: readonly Uint8Array[]): Generator<undefined, Sealed> {
  const length = contents.reduce((sum, part) => sum + part.length, 0)
  const bytes = new Uint8Array(length + DIGEST)
  let at = 0
  for (const part of contents) {
    bytes.set(part, at)
    at += part.length
  }
  const digest = yield* blake2b256InSteps(bytes.subarray(0, length))
  bytes.set(digest, length)
  return { bytes, digest }
}

/** The contents of a record and their digest, in steps of some ms; undefined where it is damaged or none. */
export function* unseal(record: unknown): Generator<undefined, Sealed | undefined> {
  if (!(record instanceof Uint8Array) || record.length < DIGEST) return undefined
  const bytes = record.slice(0, -DIGEST) // aligned
  const digest = yield* blake2b256InSteps(bytes)
  return digest.every((byte, at) => record[bytes.length + at] === byte) ? { bytes, digest } : undefined
}

/** The key of the records of a set of addresses, whatever their order. */
export const toSetKey = (addresses: readonly string[]): string =>
  toHex(blake2b256(new TextEncoder().encode([...addresses].sort().join('\n'))))

/** Ms between two writes. */
export const WRITE_INTERVAL = 5000

/** Ms in which changes are gathered where nothing was written before: an account finds its addresses one by one. */
const GATHERED = 250

/** When a change is written, in ms; `since`: ms since the last write. */
export const toWriteDelay = (since: number): number => Math.max(GATHERED, WRITE_INTERVAL - since)

/** Bytes of all records of a network. */
const MAX_STORED_BYTES = 64 * 1024 * 1024

/** What is known of the records of a set of addresses without reading them. */
export interface StoredSize {
  /** Unix ms. */
  readonly asOf: number
  /** Bytes of both records. */
  readonly size: number
  /** The digest of the record of UTXOs, in hex; null without one. */
  readonly columns: string | null
}

/** Whether another tab has just written the same. */
export const isJustWritten = (stored: unknown, now: number): boolean =>
  isSize(stored) && isWithin(stored.asOf, { now, maxAge: WRITE_INTERVAL / 2 })

/**
 * The keys of the records to be deleted: those whose size is damaged, of the future, older than `maxAge`, and the
 * oldest ones above the limit.
 */
export function keysToDelete<Key>(
  stored: readonly (readonly [Key, unknown])[],
  { now, maxAge, limit = MAX_STORED_BYTES }: { readonly now: number; readonly maxAge: number; readonly limit?: number },
): readonly Key[] {
  const valid = stored.flatMap(([key, row]) =>
    isSize(row) && isWithin(row.asOf, { now, maxAge }) ? { ...row, key } : [],
  )
  let total = 0
  const kept = new Set(
    valid.sort((a, b) => b.asOf - a.asOf).flatMap(({ key, size }) => ((total += size) <= limit ? key : [])),
  )
  return stored.flatMap(([key]) => (kept.has(key) ? [] : key))
}

export const isSize = (row: unknown): row is StoredSize => {
  if (typeof row !== 'object' || row === null) return false
  const { asOf, size, columns } = row as Partial<Record<keyof StoredSize, unknown>>
  const isDigest = columns === null || typeof columns === 'string'
  return isDigest && Number.isSafeInteger(asOf) && Number.isSafeInteger(size) && Number(size) >= 0
}
