import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import type { OutpointHash } from './outpoint-hash.js'
import { OutpointMap } from './outpoint-map.js'

/** Where an entry was reported. */
export interface ReportSource {
  readonly kind: 'snapshot' | 'delta'
  /** The node's host. */
  readonly host: string
  /** The host that reported the entries already in the set. */
  readonly previousHost: string
}

/** Checks the amounts of one report against earlier ones. */
export interface AmountCheck {
  /** Whether there is nothing to compare with, except for the entries in the set. */
  readonly isEmpty: boolean
  /** Whether an outpoint has contradicting amounts. */
  readonly hasConflicts: boolean
  /**
   * Whether an entry may be used: its outpoint has had no other amount. `before`: the entry of the outpoint in the set.
   * Records a conflict otherwise.
   */
  readonly accepts: (entry: UtxoEntry, before: UtxoEntry | undefined) => boolean
}

/** The amounts of outpoints that were removed from the UTXO sets, and the outpoints with contradicting amounts. */
export interface AmountClaims {
  check(source: ReportSource): AmountCheck
  /** Remembers the amounts of removed entries, at most `REMEMBERED`, so that they cannot return with another amount. */
  remember(removed: Iterable<UtxoEntry>, host: string): void
}

/** Minimum number of removed entries and of conflicts that are remembered. */
export const REMEMBERED = 10_000

interface Claim {
  readonly outpoint: Outpoint
  readonly amount: bigint
  readonly host: string
}

interface Conflict {
  readonly outpoint: Outpoint
  readonly amounts: readonly [bigint, bigint]
  /** The hosts that reported the amounts. */
  readonly hosts: Set<string>
}

/**
 * One amount per outpoint: a transaction id determines its outputs, so a second amount is false, or the first one was.
 * Such an outpoint is unusable until a snapshot of a third host reports one of the two amounts.
 */
export function createAmountClaims(hash: OutpointHash): AmountClaims {
  const removedClaims = createRecentRecords<Claim>(hash, REMEMBERED)
  const conflicts = createRecentRecords<Conflict>(hash, REMEMBERED)

  function isResolved({ outpoint, amounts, hosts }: Conflict, amount: bigint, { kind, host }: ReportSource): boolean {
    if (!amounts.includes(amount)) hosts.add(host)
    if (kind === 'delta' || hosts.has(host)) return false
    conflicts.remove(outpoint)
    removedClaims.remove(outpoint)
    return true
  }

  return {
    check: (source) => ({
      get isEmpty() {
        return conflicts.size === 0 && removedClaims.size === 0
      },
      get hasConflicts() {
        return conflicts.size > 0
      },
      accepts: ({ outpoint, amount }, before) => {
        const conflict = conflicts.size === 0 ? undefined : conflicts.get(outpoint)
        if (conflict !== undefined) return isResolved(conflict, amount, source)
        const claim = before === undefined ? removedClaims.get(outpoint) : undefined
        const known = before?.amount ?? claim?.amount
        if (known === undefined || known === amount) return true
        const hosts = new Set([claim?.host ?? source.previousHost, source.host])
        conflicts.put({ outpoint, amounts: [known, amount], hosts })
        return false
      },
    }),
    remember: (removed, host) => {
      for (const { outpoint, amount } of removed) removedClaims.put({ outpoint, amount, host })
    },
  }
}

/** Records by outpoint: at least the newest `limit` of them, at most twice as many. */
interface RecentRecords<Item> {
  readonly size: number
  get(outpoint: Outpoint): Item | undefined
  put(item: Item): void
  remove(outpoint: Outpoint): void
}

/** Two generations: when the younger one is full, the older one is dropped. Constant time per operation. */
function createRecentRecords<Item extends { readonly outpoint: Outpoint }>(
  hash: OutpointHash,
  limit: number,
): RecentRecords<Item> {
  let young = new OutpointMap<Item>(hash)
  let old = young.emptyCopy()
  return {
    get size() {
      return young.size + old.size
    },
    get: (outpoint) => young.get(outpoint) ?? old.get(outpoint),
    put: (item) => {
      old.remove(item.outpoint)
      young.put(item)
      if (young.size < limit) return
      old = young
      young = old.emptyCopy()
    },
    remove: (outpoint) => {
      young.remove(outpoint)
      old.remove(outpoint)
    },
  }
}
