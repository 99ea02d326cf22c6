import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import type { EntryChanges } from '../store/store.js'
import { spentEntries, trackedOutputs, type UtxoIndex } from './effects.js'
import { isCounted, type RecordEvent, type UnconfirmedRecord } from './record.js'
import { ancestorsOf, type UnconfirmedRecords } from './records.js'

export interface IndexContext {
  readonly records: UnconfirmedRecords
  readonly dispatch: (id: string, event: RecordEvent) => void
  readonly index: UtxoIndex
  /** Chain blocks counted so far. */
  readonly blocks: number
}

/**
 * Ends the transactions that the UTXO index shows after these changes of one notification or snapshot, and reserves the
 * inputs of own payments again that it no longer shows. Returns the transactions that are concerned, and the ended
 * ones.
 */
export function applyIndex(
  changes: readonly EntryChanges[],
  context: IndexContext,
): { readonly touched: ReadonlySet<string>; readonly ended: readonly string[] } {
  const { records, dispatch } = context
  const { removed, touched } = concerned(changes, records)
  const ended: string[] = []
  for (const id of touched) {
    const record = records.all.get(id)
    if (record === undefined) continue
    const event = toEvent(record, removed, context)
    if (event?.type === 'settled') {
      ended.push(id, ...ancestorsOf(record, records)) // an accepted transaction's parents are accepted
    }
    if (event !== undefined) dispatch(id, event)
  }
  for (const id of ended) dispatch(id, { type: 'settled' })
  return { touched, ended }
}

/** The outpoints that were removed, and the transactions that spend or create a changed outpoint. */
function concerned(changes: readonly EntryChanges[], records: UnconfirmedRecords) {
  const removed = new Set<OutpointKey>()
  const touched = new Set<string>()
  if (records.all.size === 0) return { removed, touched }
  const touch = ({ outpoint }: UtxoEntry): void => {
    if (records.all.has(outpoint.transactionId)) touched.add(outpoint.transactionId)
    for (const id of records.spendersOf(outpoint)) touched.add(id)
  }
  for (const change of changes) {
    for (const entry of change.removed) touch(entry)
    for (const entry of change.added) touch(entry)
    for (const { outpoint } of change.removed) removed.add(toOutpointKey(outpoint))
  }
  for (const { added } of changes) for (const { outpoint } of added) removed.delete(toOutpointKey(outpoint))
  return { removed, touched }
}

/** What the index says about a transaction; undefined if nothing. */
function toEvent(
  record: UnconfirmedRecord,
  removed: ReadonlySet<OutpointKey>,
  context: IndexContext,
): RecordEvent | undefined {
  if (isShown(record, context.index)) return { type: 'settled' }
  const { inputs } = record.transaction
  if (record.own.step === 'none')
    return inputs.some(({ outpoint }) => removed.has(toOutpointKey(outpoint))) ? { type: 'settled' } : undefined
  const unspent = Array.from(spentEntries(record, context.index)).length
  const spent = spentInputs(record, context)
  if (spent > 0) return unspent > 0 ? { type: 'conflicted', blocks: context.blocks } : { type: 'settled' }
  return unspent > 0 ? { type: 'unspent' } : undefined
}

/** Whether the index shows one of its outputs. */
export const isShown = (record: UnconfirmedRecord, index: UtxoIndex): boolean =>
  Array.from(trackedOutputs(record, index)).some(({ set, outpoint }) => set.entries.get(outpoint) !== undefined)

/** The inputs that the index does not show, although their addresses are loaded and their transactions accepted. */
const spentInputs = (record: UnconfirmedRecord, { records, index }: IndexContext): number =>
  record.transaction.inputs.filter(({ outpoint, scriptPublicKey }) => {
    const set = scriptPublicKey === undefined ? undefined : index.ofScript(scriptPublicKey)
    const parent = records.all.get(outpoint.transactionId)
    const isLoaded = set?.phase.content === 'loaded'
    return isLoaded && set.entries.get(outpoint) === undefined && !(parent !== undefined && isCounted(parent))
  }).length
