import { defer, finalize, forkJoin, map, of, share, switchMap, type Observable } from 'rxjs'
import { groupColumns } from '../../model/utxo-columns/select-rows.js'
import { toScriptKey, type UtxoEntry } from '../../model/utxo.js'
import type { UtxoColumns } from '../../model/utxo-columns/columns.js'
import { SharedUtxoSet, joinColumns, type Delta } from './utxo-set.js'
import { scriptKeyOf } from './subscribed.js'

/** The UTXO sets of a node's socket, so that a second tab costs the node nothing. */
export interface Snapshots {
  /**
   * The UTXOs of addresses, by the keys of their scripts, to which the node is subscribed; it is requested for those
   * that are not known yet. Emits in order with the notifications that were applied. Errors as `fetch`. A request ends
   * with the last subscriber that waits for it: its response may be lost.
   */
  columns$(addresses: ReadonlyMap<string, string>): Observable<UtxoColumns>
  /** Applies a notification of the node. */
  apply(delta: Delta): void
  /** To be called once the node is not subscribed to scripts any more, or what is kept of them is doubted. */
  forget(isKept: (scriptKey: string) => boolean): void
  /** Notifications are missing: all sets are fetched again. */
  clear(): void
}

/** A set, or its fetch with what is notified meanwhile. */
type Known = SharedUtxoSet | Fetch

interface Fetch {
  readonly done$: Observable<unknown>
  readonly deltas: Delta[]
}

export function createSnapshots(fetch: (addresses: readonly string[]) => Observable<UtxoColumns>): Snapshots {
  const known = new Map<string, Known>()

  /** Fetches the sets that are not known, and waits for those that are being fetched. */
  const fetched$ = (keys: ReadonlyMap<string, string>): Observable<unknown> => {
    const missing = [...keys].filter(([key]) => !known.has(key))
    if (missing.length > 0) start(new Map(missing))
    const waiting = new Set([...keys.keys()].flatMap((key) => toFetch(known.get(key))?.done$ ?? []))
    return waiting.size === 0 ? of(undefined) : forkJoin([...waiting])
  }

  function start(missing: ReadonlyMap<string, string>): void {
    const sets = new Map<string, Fetch>()
    const done$ = fetch([...missing.values()]).pipe(
      map((columns) => load(sets, columns)),
      finalize(() => drop(sets)),
      share(),
    )
    for (const key of missing.keys()) {
      const one: Fetch = { done$, deltas: [] }
      sets.set(key, one)
      known.set(key, one)
    }
  }

  /** Forgets a fetch; sets that it has loaded stay. */
  const drop = (sets: ReadonlyMap<string, Fetch>): void => {
    for (const [key, one] of sets) if (known.get(key) === one) known.delete(key)
  }

  /** Sets that were forgotten meanwhile stay forgotten. */
  function load(sets: ReadonlyMap<string, Fetch>, columns: UtxoColumns): void {
    const byKey = new Map<string, UtxoColumns>()
    for (const [address, group] of groupColumns(columns)) byKey.set(scriptKeyOf(address), group)
    for (const [key, one] of sets) {
      if (known.get(key) !== one) continue
      known.set(key, new SharedUtxoSet(byKey.get(key) ?? joinColumns([]), one.deltas))
    }
  }

  /** Null where a set is not known; one that is inconsistent is not known any more. */
  function read(keys: Iterable<string>): UtxoColumns | null {
    const parts: UtxoColumns[] = []
    let isComplete = true
    for (const key of keys) {
      const set = known.get(key)
      const columns = set instanceof SharedUtxoSet ? set.read() : null
      if (columns !== null) parts.push(columns)
      else isComplete = false
      if (columns === null && set instanceof SharedUtxoSet) known.delete(key)
    }
    return isComplete ? joinColumns(parts) : null
  }

  return {
    columns$: (addresses) =>
      defer(() => {
        const columns = read(addresses.keys())
        if (columns !== null) return of(columns)
        // forgotten or inconsistent meanwhile: from the node
        const fetch$ = (): Observable<UtxoColumns> => fetch([...addresses.values()])
        return fetched$(addresses).pipe(switchMap(() => ofOr(read(addresses.keys()), fetch$)))
      }),
    apply: (delta) => {
      for (const [key, part] of byScript(delta)) {
        const one = known.get(key)
        if (one instanceof SharedUtxoSet) one.apply(part)
        else one?.deltas.push(part)
      }
    },
    forget: (isKept) => {
      for (const key of [...known.keys()]) if (!isKept(key)) known.delete(key)
    },
    clear: () => known.clear(),
  }
}

const ofOr = <Value>(value: Value | null, otherwise: () => Observable<Value>): Observable<Value> =>
  value === null ? otherwise() : of(value)

const toFetch = (one: Known | undefined): Fetch | undefined => (one instanceof SharedUtxoSet ? undefined : one)

function byScript({ removed, added }: Delta): ReadonlyMap<string, Delta> {
  const parts = new Map<string, { removed: UtxoEntry[]; added: UtxoEntry[] }>()
  const partOf = ({ scriptPublicKey }: UtxoEntry): { removed: UtxoEntry[]; added: UtxoEntry[] } => {
    const key = toScriptKey(scriptPublicKey)
    const part = parts.get(key) ?? { removed: [], added: [] }
    parts.set(key, part)
    return part
  }
  for (const entry of removed) partOf(entry).removed.push(entry)
  for (const entry of added) partOf(entry).added.push(entry)
  return parts
}
