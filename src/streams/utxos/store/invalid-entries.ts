import {
  toOutpointKey,
  type Outpoint,
  type OutpointKey,
  type ScriptPublicKey,
  type UtxoEntry,
} from '../../../model/utxo.js'
import { isPossibleAmount } from '../../../model/amount.js'

/**
 * Why an entry that a node reported is not used:
 * - `script`: its script is not the one of its address, or its outpoint is an entry of another address. `amount`: it is
 *   zero or above the maximum supply.
 * - `supply`: together with the other entries it exceeds the maximum supply.
 * - `conflict`: its outpoint was reported with another amount before; usable once a snapshot from a node on another
 *   host reports one of the two amounts.
 */
export type InvalidReason = 'script' | 'amount' | 'supply' | 'conflict'

/** An entry that a node reported and that is not used. */
export interface InvalidEntry {
  readonly outpoint: Outpoint
  readonly reason: InvalidReason
}

export interface InvalidEntries {
  /** The newest 100 reported entries that are not used, newest last. Renewed with each snapshot. */
  readonly invalidEntries: readonly InvalidEntry[]
  /** Number of reported entries that are not used since the last snapshot, also of those not listed. */
  readonly invalidEntryCount: number
}

const MAX_LISTED = 100

const NO_INVALID_ENTRIES: InvalidEntries = { invalidEntries: [], invalidEntryCount: 0 }

/** `order` increases with each entry of any log. */
interface Logged {
  readonly order: number
  readonly entry: InvalidEntry
}

const NOTHING_LISTED: ReadonlyMap<OutpointKey, Logged> = /*#__PURE__*/ new Map<OutpointKey, Logged>()

/** The invalid entries of one address since its last snapshot. Takes little memory while there are none. */
export class InvalidEntryLog {
  readonly #nextOrder: () => number
  #listed: Map<OutpointKey, Logged> | null = null
  #count = 0

  constructor(nextOrder: () => number) {
    this.#nextOrder = nextOrder
  }

  get count(): number {
    return this.#count
  }

  get listed(): ReadonlyMap<OutpointKey, Logged> {
    return this.#listed ?? NOTHING_LISTED
  }

  add(entry: InvalidEntry): void {
    const key = toOutpointKey(entry.outpoint)
    const listed = (this.#listed ??= new Map<OutpointKey, Logged>())
    if (!listed.delete(key)) this.#count++ // set again below, so that the newest is last
    listed.set(key, { order: this.#nextOrder(), entry })
    for (const oldest of listed.keys()) {
      if (listed.size <= MAX_LISTED) break
      listed.delete(oldest)
    }
  }

  remove(outpoint: Outpoint): void {
    if (this.#listed?.delete(toOutpointKey(outpoint)) === true) this.#count--
  }

  clear(): void {
    this.#listed = null
    this.#count = 0
  }
}

/** The invalid entries of several addresses. */
export function mergeInvalidEntries(logs: Iterable<InvalidEntryLog>): InvalidEntries {
  const counted: InvalidEntryLog[] = []
  for (const log of logs) if (log.count > 0) counted.push(log)
  if (counted.length === 0) return NO_INVALID_ENTRIES
  const listed = counted.flatMap((log) => [...log.listed.values()]).sort((a, b) => a.order - b.order)
  return {
    invalidEntries: listed.slice(-MAX_LISTED).map(({ entry }) => entry),
    invalidEntryCount: counted.reduce((sum, { count }) => sum + count, 0),
  }
}

export interface Validated {
  readonly valid: readonly UtxoEntry[]
  readonly invalid: readonly InvalidEntry[]
  /** The sum of the valid entries, in sompi. */
  readonly sum: bigint
}

/**
 * Separates the entries of one address that can exist from the others: they have the address's script, an amount within
 * the maximum supply, and a sum of at most `available` sompi.
 */
export function validateEntries(entries: readonly UtxoEntry[], script: ScriptPublicKey, available: bigint): Validated {
  let sum = 0n
  const invalid: InvalidEntry[] = []
  const valid = entries.filter((entry) => {
    const next = sum + entry.amount
    const reason = invalidReason(entry, script) ?? (next > available ? 'supply' : undefined)
    if (reason === undefined) sum = next
    else invalid.push({ outpoint: entry.outpoint, reason })
    return reason === undefined
  })
  return { valid: invalid.length === 0 ? entries : valid, invalid, sum }
}

function invalidReason({ scriptPublicKey, amount }: UtxoEntry, script: ScriptPublicKey): InvalidReason | undefined {
  if (!isSameScript(scriptPublicKey, script)) return 'script'
  return isPossibleAmount(amount) ? undefined : 'amount'
}

export const isSameScript = (a: ScriptPublicKey, b: ScriptPublicKey): boolean =>
  a.script === b.script && a.version === b.version
