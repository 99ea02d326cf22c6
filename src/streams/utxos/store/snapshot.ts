import { MAX_SOMPI } from '../../../model/amount.js'
import { ROWS_PER_STEP, type AddressScript, type UtxoColumns } from '../../../model/utxo-columns/columns.js'
import { selectRecords, toEntry, toUtxoColumns } from '../../../model/utxo-columns/records.js'
import { groupColumns, selectRows } from '../../../model/utxo-columns/select-rows.js'
import { WordSum, isAbove, toBound } from '../../../model/utxo-columns/words.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'
import { ColumnIndex } from './column-index.js'
import { groupByAddress } from './delta.js'
import { type InvalidEntry, type InvalidReason, isSameScript, validateEntries } from './invalid-entries.js'
import type { OutpointHash } from './outpoint-hash.js'
import type { Steps } from '../../../loading/steps.js'
import type { EntrySet } from './entry-set.js'
import type { RowMatches } from './column-steps.js'

/** What a node reports about some addresses: columns, where its port decodes them. */
export type Snapshot = UtxoColumns | readonly UtxoEntry[]

/** The usable entries of one address: indexed columns, or records where outpoints repeat or do not fit into columns. */
export type AddressEntries = ColumnIndex | readonly UtxoEntry[]

/** The snapshot of one address, without the entries that cannot exist; the supply is not considered yet. */
export interface AddressSnapshot {
  readonly entries: AddressEntries
  readonly invalid: readonly InvalidEntry[]
  /** The sum of the entries, in sompi. */
  readonly sum: bigint
  /** The rows of the tracked entries that are repeated; undefined where none are tracked as columns. */
  readonly matches?: RowMatches | undefined
}

/** What a snapshot is prepared for. */
export interface SnapshotTarget {
  readonly script: ScriptPublicKey
  /** The entries that are tracked so far. */
  readonly entries?: Pick<EntrySet, 'match'>
}

/** By address. */
export type PreparedSnapshot = ReadonlyMap<string, AddressSnapshot>

/**
 * Checks and indexes a snapshot and compares it with the tracked entries, in steps of some ms. Addresses that are not
 * among the targets are left out.
 */
export function* prepareSnapshot(
  snapshot: Snapshot,
  targets: ReadonlyMap<string, SnapshotTarget>,
  hash: OutpointHash,
): Steps<PreparedSnapshot> {
  const prepared = new Map<string, AddressSnapshot>()
  let rows = 0
  for (const [address, entries] of isColumns(snapshot) ? groupColumns(snapshot) : groupRecords(snapshot)) {
    const target = targets.get(address)
    if (target !== undefined) prepared.set(address, yield* prepareAddress(entries, target, hash))
    rows += isColumns(entries) ? entries.count : entries.length
    if (rows > ROWS_PER_STEP) yield
    rows %= ROWS_PER_STEP
  }
  return prepared
}

/** The number of usable entries. */
export function countEntries(snapshot: PreparedSnapshot): number {
  let count = 0
  for (const { entries } of snapshot.values())
    count += entries instanceof ColumnIndex ? entries.columns.count : entries.length
  return count
}

const isColumns = (snapshot: Snapshot): snapshot is UtxoColumns => !Array.isArray(snapshot)

/** Whether the block of an entry has a higher DAA score. */
export function hasEntryAbove(snapshot: Snapshot, score: bigint): boolean {
  if (!isColumns(snapshot)) return snapshot.some(({ blockDaaScore }) => blockDaaScore > score)
  const bound = toBound(score)
  for (let row = 0; row < snapshot.count; row++) if (isAbove(snapshot.daaScores, row, bound)) return true
  return false
}

function* groupRecords(entries: readonly UtxoEntry[]): Iterable<readonly [string, Snapshot]> {
  for (const [address, { added }] of groupByAddress({ removed: [], added: entries })) {
    yield [address, toUtxoColumns(added) ?? added]
  }
}

function* prepareAddress(
  snapshot: Snapshot,
  { script, entries }: SnapshotTarget,
  hash: OutpointHash,
): Steps<AddressSnapshot> {
  if (!isColumns(snapshot)) {
    const { valid, invalid, sum } = validateEntries(snapshot, script, UNLIMITED)
    return { entries: valid, invalid, sum }
  }
  const { valid, invalid, sum } = yield* validateRows(snapshot, script)
  const index = yield* ColumnIndex.build(valid, hash)
  if (index === undefined) return { entries: toEntries(valid), invalid, sum }
  return { entries: index, invalid, sum, matches: entries && (yield* entries.match(valid)) }
}

/** The snapshot without the entries that exceed `available` sompi. */
export function limitToSupply(snapshot: AddressSnapshot, script: ScriptPublicKey, available: bigint): AddressSnapshot {
  const { entries, invalid, sum } = snapshot
  if (sum <= available) return snapshot
  const records = entries instanceof ColumnIndex ? toEntries(entries.columns) : entries
  const limited = validateEntries(records, script, available)
  return { entries: limited.valid, invalid: [...invalid, ...limited.invalid], sum: limited.sum }
}

const toEntries = (columns: UtxoColumns): UtxoEntry[] => selectRecords(columns, () => true)

/** As `validateEntries`, on columns, apart from the supply. */
function* validateRows(
  columns: UtxoColumns,
  script: ScriptPublicKey,
): Steps<{ readonly valid: UtxoColumns; readonly invalid: readonly InvalidEntry[]; readonly sum: bigint }> {
  const check: RowCheck = { script, sum: new WordSum(), invalidRows: new Map() }
  for (let row = 0; row < columns.count; row += ROWS_PER_STEP) {
    if (row > 0) yield
    checkRows(columns, check, row, Math.min(columns.count, row + ROWS_PER_STEP))
  }
  const { invalidRows, sum } = check
  if (invalidRows.size === 0) return { valid: columns, invalid: [], sum: sum.total }
  const rows = Uint32Array.from({ length: columns.count }, (_, row) => row).filter((row) => !invalidRows.has(row))
  const invalid = Array.from(invalidRows, ([row, reason]) => ({ outpoint: toEntry(columns, row).outpoint, reason }))
  return { valid: selectRows(columns, rows), invalid, sum: sum.total }
}

interface RowCheck {
  /** That of the address. */
  readonly script: ScriptPublicKey
  /** Of the valid rows. */
  readonly sum: WordSum
  readonly invalidRows: Map<number, InvalidReason>
}

function checkRows(columns: UtxoColumns, check: RowCheck, first: number, end: number): void {
  if (countPossible(columns, check.script, first, end) === end - first) check.sum.addRows(columns.amounts, first, end)
  else checkEach(columns, check, first, end)
}

/** The number of rows before the first one with another script or an impossible amount. */
function countPossible(
  { amounts, scriptOf, scripts }: UtxoColumns,
  script: ScriptPublicKey,
  first: number,
  end: number,
): number {
  let checked = -1
  for (let row = first; row < end; row++) {
    const number = scriptOf[row] ?? 0
    if (number !== checked && !hasScript(scripts[number], script)) return row - first
    checked = number
    if (isAbove(amounts, row, MAXIMUM) || !isAbove(amounts, row, ZERO)) return row - first
  }
  return end - first
}

const hasScript = (of: AddressScript | undefined, script: ScriptPublicKey): boolean =>
  of !== undefined && isSameScript(of.scriptPublicKey, script)

function checkEach(columns: UtxoColumns, { script, sum, invalidRows }: RowCheck, first: number, end: number): void {
  const { amounts, scriptOf, scripts } = columns
  for (let row = first; row < end; row++) {
    if (!hasScript(scripts[scriptOf[row] ?? 0], script)) invalidRows.set(row, 'script')
    else if (isAbove(amounts, row, MAXIMUM) || !isAbove(amounts, row, ZERO)) invalidRows.set(row, 'amount')
    else sum.add(amounts, row)
  }
}

/** The supply is considered when the snapshot is loaded. */
const UNLIMITED = 2n ** 128n

const MAXIMUM = /*#__PURE__*/ toBound(MAX_SOMPI)
const ZERO = /*#__PURE__*/ toBound(0n)
