import {
  toOutpointKey,
  type Outpoint,
  type OutpointKey,
  type ScriptPublicKey,
  type UtxoEntry,
} from '../../model/utxo.js'
import { toAddress, toScriptPublicKey } from '../../model/address.js'
import type { AddressPrefix } from '../../model/network.js'

/** Changes of a UTXO set. An outpoint is in both lists if only its DAA score changed. */
export interface UtxoDiff {
  readonly removed: readonly UtxoEntry[]
  readonly added: readonly UtxoEntry[]
}

export interface UtxoView {
  get(outpoint: Outpoint): UtxoEntry | undefined
}

interface ScriptUtxos {
  readonly entries: Map<OutpointKey, UtxoEntry>
  balance: bigint
}

/**
 * A UTXO set with an index by script. Diffs are applied and undone. It collects the net changes since the last
 * `takeChanges`: a UTXO created and spent in between is in neither list, one whose score changed is in both.
 */
export class UtxoSet implements UtxoView {
  readonly #entries: Map<OutpointKey, UtxoEntry>
  readonly #byScript = new Map<string, ScriptUtxos>()
  /** The entry of each changed outpoint before its first change. */
  readonly #before = new Map<OutpointKey, UtxoEntry | undefined>()
  #supply: bigint

  constructor(copied?: UtxoSet) {
    this.#entries = new Map(copied === undefined ? [] : copied.#entries)
    this.#supply = copied === undefined ? 0n : copied.#supply
    for (const [script, { entries, balance }] of copied === undefined ? [] : copied.#byScript)
      this.#byScript.set(script, { entries: new Map(entries), balance })
  }

  /** An independent set, without the collected changes. */
  copy(): UtxoSet {
    return new UtxoSet(this)
  }

  /** The sum of all amounts, in sompi. */
  get supply(): bigint {
    return this.#supply
  }

  get(outpoint: Outpoint): UtxoEntry | undefined {
    return this.#entries.get(toOutpointKey(outpoint))
  }

  all(): Iterable<UtxoEntry> {
    return this.#entries.values()
  }

  ofScript(scriptPublicKey: ScriptPublicKey): Iterable<UtxoEntry> {
    return this.#byScript.get(scriptKey(scriptPublicKey))?.entries.values() ?? []
  }

  /** Sompi. */
  balanceOf(scriptPublicKey: ScriptPublicKey): bigint {
    return this.#byScript.get(scriptKey(scriptPublicKey))?.balance ?? 0n
  }

  apply(diff: UtxoDiff): void {
    for (const entry of diff.removed) this.#remove(entry)
    for (const entry of diff.added) this.#add(entry)
  }

  undo(diff: UtxoDiff): void {
    for (const entry of diff.added) this.#remove(entry)
    for (const entry of diff.removed) this.#add(entry)
  }

  /** The net changes since the last call. */
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
    this.#saveBefore(key)
    this.#entries.set(key, entry)
    this.#supply += entry.amount
    const script = scriptKey(entry.scriptPublicKey)
    const scriptUtxos = this.#byScript.get(script) ?? { entries: new Map<OutpointKey, UtxoEntry>(), balance: 0n }
    scriptUtxos.entries.set(key, entry)
    scriptUtxos.balance += entry.amount
    this.#byScript.set(script, scriptUtxos)
  }

  #remove(entry: UtxoEntry): void {
    const key = toOutpointKey(entry.outpoint)
    this.#saveBefore(key)
    this.#entries.delete(key)
    this.#supply -= entry.amount
    const script = scriptKey(entry.scriptPublicKey)
    const scriptUtxos = this.#byScript.get(script)
    if (scriptUtxos === undefined) return
    scriptUtxos.entries.delete(key)
    scriptUtxos.balance -= entry.amount
    if (scriptUtxos.entries.size === 0) this.#byScript.delete(script)
  }

  #saveBefore(key: OutpointKey): void {
    if (!this.#before.has(key)) this.#before.set(key, this.#entries.get(key))
  }
}

/** Uncommitted changes on top of a UTXO view, collected while a mergeset is accepted. */
export class UtxoDraft implements UtxoView {
  readonly #base: UtxoView
  readonly #removed = new Map<OutpointKey, UtxoEntry>()
  readonly #added = new Map<OutpointKey, UtxoEntry>()

  constructor(base: UtxoView, changes: UtxoDiff = { removed: [], added: [] }) {
    this.#base = base
    for (const entry of changes.removed) this.spend(entry)
    for (const entry of changes.added) this.create(entry)
  }

  get(outpoint: Outpoint): UtxoEntry | undefined {
    const key = toOutpointKey(outpoint)
    const added = this.#added.get(key)
    if (added !== undefined) return added
    return this.#removed.has(key) ? undefined : this.#base.get(outpoint)
  }

  spend(entry: UtxoEntry): void {
    const key = toOutpointKey(entry.outpoint)
    if (!this.#added.delete(key)) this.#removed.set(key, entry)
  }

  create(entry: UtxoEntry): void {
    this.#added.set(toOutpointKey(entry.outpoint), entry)
  }

  /** The net changes. A UTXO created and spent within the draft is in neither list. */
  diff(): UtxoDiff {
    return { removed: [...this.#removed.values()], added: [...this.#added.values()] }
  }
}

/** Maximum cached addresses. Encoding an address takes as long as the remaining processing of an output. */
const CACHE_SIZE = 20_000

/** Addresses of locking scripts with the prefix of the network, cached. */
export class Addresses {
  readonly #byScript = new Map<string, string | undefined>()

  constructor(readonly prefix: AddressPrefix) {}

  /** Undefined for a script without an address form. */
  of(scriptPublicKey: ScriptPublicKey): string | undefined {
    const key = scriptKey(scriptPublicKey)
    if (this.#byScript.has(key)) return this.#byScript.get(key)
    const address = toAddress(scriptPublicKey, this.prefix)
    if (this.#byScript.size >= CACHE_SIZE) this.#byScript.clear()
    this.#byScript.set(key, address)
    return address
  }

  /** The address with this network's prefix. The node compares scripts, not prefixes. */
  localize(address: string): string {
    return this.of(toScriptPublicKey(address)) ?? address
  }
}

/** A map key for a script. */
export const scriptKey = ({ version, script }: ScriptPublicKey): string =>
  version === 0 ? script : `${String(version)}:${script}`
