import { isValidAddress } from '../address.js'
import { MAX_SOMPI } from '../amount.js'
import { isHex } from '../hex.js'
import type { ChainNetwork } from '../network.js'
import { seal, unseal, type Sealed } from './sealed.js'
import { toSetKey } from './set-key.js'

/** What one address had, in sompi. */
export interface LastBalance {
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
export interface ExpectedSummary {
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
export const isWithin = (asOf: unknown, { now, maxAge }: Pick<ExpectedSummary, 'now' | 'maxAge'>): asOf is number =>
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
