import {
  toOutpointKey,
  type Outpoint,
  type OutpointKey,
  type ScriptPublicKey,
  type UtxoEntry,
} from '../../../model/utxo.js'
import { scriptKey } from './addresses.js'

/** A change of the set: coins that went and coins that came. No outpoint is in both. */
export interface UtxoDiff {
  readonly removed: readonly UtxoEntry[]
  readonly added: readonly UtxoEntry[]
}

/** Where coins are looked up. */
export interface UtxoView {
  get(outpoint: Outpoint): UtxoEntry | undefined
}

/** What one script holds. */
interface Holding {
  readonly entries: Map<OutpointKey, UtxoEntry>
  balance: bigint
}

/**
 * The coins that are there, with an index by script. It goes forward and back by diffs, and remembers the net change since
 * it was last asked: a coin that came and went in between is in neither list, one whose score alone changed is in both.
 */
export class UtxoSet implements UtxoView {
  readonly #entries: Map<OutpointKey, UtxoEntry>
  readonly #holdings = new Map<string, Holding>()
  /** What each touched outpoint held before the first touch. */
  readonly #before = new Map<OutpointKey, UtxoEntry | undefined>()
  #supply: bigint

  constructor(copied?: UtxoSet) {
    this.#entries = new Map(copied === undefined ? [] : copied.#entries)
    this.#supply = copied === undefined ? 0n : copied.#supply
    for (const [script, { entries, balance }] of copied === undefined ? [] : copied.#holdings)
      this.#holdings.set(script, { entries: new Map(entries), balance })
  }

  /** A set of its own; changes not yet asked for are not carried over. */
  copy(): UtxoSet {
    return new UtxoSet(this)
  }

  /** The sum of all coins, in sompi. */
  get supply(): bigint {
    return this.#supply
  }

  get(outpoint: Outpoint): UtxoEntry | undefined {
    return this.#entries.get(toOutpointKey(outpoint))
  }

  all(): Iterable<UtxoEntry> {
    return this.#entries.values()
  }

  heldBy(scriptPublicKey: ScriptPublicKey): Iterable<UtxoEntry> {
    return this.#holdings.get(scriptKey(scriptPublicKey))?.entries.values() ?? []
  }

  /** Sompi. */
  balanceOf(scriptPublicKey: ScriptPublicKey): bigint {
    return this.#holdings.get(scriptKey(scriptPublicKey))?.balance ?? 0n
  }

  apply(diff: UtxoDiff): void {
    for (const entry of diff.removed) this.#remove(entry)
    for (const entry of diff.added) this.#add(entry)
  }

  undo(diff: UtxoDiff): void {
    for (const entry of diff.added) this.#remove(entry)
    for (const entry of diff.removed) this.#add(entry)
  }

  /** The net change since the last call. */
  takeChanges(): UtxoDiff {
    const removed: UtxoEntry[] = []
    const added: UtxoEntry[] = []
    for (const [key, before] of this.#before) {
      const after = this.#entries.get(key)
      if (before?.blockDaaScore === after?.blockDaaScore) continue
      if (before !== undefined) removed.push(before)
      if (after !== undefined) added.push(after)
    }
    this.#before.clear()
    return { removed, added }
  }

  #add(entry: UtxoEntry): void {
    const key = toOutpointKey(entry.outpoint)
    this.#remember(key)
    this.#entries.set(key, entry)
    this.#supply += entry.amount
    const script = scriptKey(entry.scriptPublicKey)
    const holding = this.#holdings.get(script) ?? { entries: new Map<OutpointKey, UtxoEntry>(), balance: 0n }
    holding.entries.set(key, entry)
    holding.balance += entry.amount
    this.#holdings.set(script, holding)
  }

  #remove(entry: UtxoEntry): void {
    const key = toOutpointKey(entry.outpoint)
    this.#remember(key)
    this.#entries.delete(key)
    this.#supply -= entry.amount
    const script = scriptKey(entry.scriptPublicKey)
    const holding = this.#holdings.get(script)
    if (holding === undefined) return
    holding.entries.delete(key)
    holding.balance -= entry.amount
    if (holding.entries.size === 0) this.#holdings.delete(script)
  }

  #remember(key: OutpointKey): void {
    if (!this.#before.has(key)) this.#before.set(key, this.#entries.get(key))
  }
}
