import type { AbortOptions } from '../../errors/abort-options.js'
import { toOutpointKey, type UtxoEntry } from '../utxo.js'

/**
 * Waits for the first snapshot of a tracker, and resolves with what a payment spends in place of a restored state.
 * Rejects where there is none within 60 s, and when `signal` aborts.
 */
export type AwaitUtxos<Utxos> = (options: AbortOptions) => Promise<Utxos>

/** A property of lists that are restored: copies by `copyEntries` have it too. */
const AWAITED = /*#__PURE__*/ Symbol('awaited')

/** A list for which payments wait. */
interface AwaitedEntries {
  readonly [AWAITED]?: AwaitUtxos<readonly UtxoEntry[]>
}

/** A list of entries in whose place a payment uses others. */
export const toAwaited = (entries: readonly UtxoEntry[], awaited: AwaitUtxos<readonly UtxoEntry[]>): UtxoEntry[] =>
  Object.defineProperty([...entries], AWAITED, { value: awaited })

/** A copy for which payments wait as they do for the list. */
export function copyEntries(entries: readonly UtxoEntry[]): UtxoEntry[] {
  const awaited = awaitedOf(entries)
  return awaited === null ? entries.slice() : toAwaited(entries, awaited)
}

/** How a payment waits for what it spends in place of the list; null where it spends the list. */
export const awaitedOf = (entries: readonly UtxoEntry[] & AwaitedEntries): AwaitUtxos<readonly UtxoEntry[]> | null =>
  entries[AWAITED] ?? null

/** The entries of a list that there are still. */
export function withoutSpent(entries: readonly UtxoEntry[], current: readonly UtxoEntry[]): readonly UtxoEntry[] {
  const keys = new Set(entries.map(({ outpoint }) => toOutpointKey(outpoint)))
  return current.filter(({ outpoint }) => keys.has(toOutpointKey(outpoint)))
}
