import type { EntryChanges } from '../store/store.js'
import { applyRead, type ListedTransactions, type MempoolResponse } from './apply-read.js'
import { type CurrentEffects, type UtxoIndex, spentEntries, trackedOutputs } from './effects.js'
import { isReadDue, isWaiting, isCounted, type RecordEvent, type UnconfirmedRecord } from './record.js'
import type { Unconfirmed } from './unconfirmed.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'
import { ancestorsOf, type UnconfirmedRecords } from './records.js'

/** Keeps the unconfirmed transactions in step with mempool and UTXO index. */
export interface UnconfirmedSync {
  /** Applies the changes of one notification or snapshot. */
  applyIndex(changes: readonly EntryChanges[]): void
  /** Begins a read of the mempool; the result applies its response. */
  beginRead(addresses: readonly string[]): (response: MempoolResponse) => void
  /** Counts a chain block. Returns the addresses that have to be read again. */
  addBlock(): ReadonlySet<string>
  /** Whether a transaction waits for chain blocks. */
  isWaiting(): boolean
  /** The mempool is no longer read for an address. */
  forget(address: string): void
}

/** Ids that are remembered for responses in flight, at most. */
const MAX_SETTLED = 10_000

export function createUnconfirmedSync(
  { records, dispatch }: Pick<Unconfirmed, 'records' | 'dispatch'>,
  index: UtxoIndex,
  effects: CurrentEffects,
): UnconfirmedSync {
  /** Transactions that the index has shown, with the number of the last read begun by then. */
  const settled = new Map<string, number>()
  /** The transactions that were listed under each address that is read. */
  const listings = new Map<string, Set<string>>()
  let blocks = 0
  let reads = 0

  function remember(ids: readonly string[]): void {
    for (const id of ids) settled.set(id, reads)
    for (const id of settled.keys()) {
      if (settled.size <= MAX_SETTLED) return
      settled.delete(id)
    }
  }

  function updateListings(addresses: Iterable<string>, listed: ListedTransactions): void {
    for (const address of addresses) {
      const known = [...(listings.get(address) ?? [])].filter((id) => records.all.has(id))
      listings.set(address, new Set(known))
    }
    for (const [id, { addresses: under }] of listed) for (const address of under) listings.get(address)?.add(id)
  }

  return {
    applyIndex: (changes) => {
      const { touched, ended } = applyIndex(changes, { records, dispatch, index, blocks })
      remember(ended)
      if (touched.size > 0) effects.invalidate()
    },
    beginRead: (addresses) => {
      const read = ++reads
      const startedAt = blocks
      return (response) => {
        const isSettled = (id: string): boolean => (settled.get(id) ?? 0) >= read
        const listed = applyRead(
          { addresses: new Set(addresses), response, startedAt, blocks, isSettled },
          { records, dispatch, isShown: (record) => isShown(record, index) },
        )
        updateListings(addresses, listed)
        for (const [id, at] of settled) if (at < read) settled.delete(id)
      }
    },
    addBlock: () => {
      blocks++
      const due = new Set<string>()
      for (const [id, record] of [...records.all]) {
        dispatch(id, { type: 'blockAdded', blocks })
        if (isReadDue(record, blocks)) for (const address of record.addresses) due.add(address)
      }
      return due
    },
    isWaiting: () => {
      for (const record of records.all.values()) if (isWaiting(record)) return true
      return false
    },
    forget: (address) => {
      for (const id of listings.get(address) ?? []) dispatch(id, { type: 'forgotten', address })
      listings.delete(address)
    },
  }
}

interface IndexContext {
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
function applyIndex(
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
const isShown = (record: UnconfirmedRecord, index: UtxoIndex): boolean =>
  Array.from(trackedOutputs(record, index)).some(({ set, outpoint }) => set.entries.get(outpoint) !== undefined)

/** The inputs that the index does not show, although their addresses are loaded and their transactions accepted. */
const spentInputs = (record: UnconfirmedRecord, { records, index }: IndexContext): number =>
  record.transaction.inputs.filter(({ outpoint, scriptPublicKey }) => {
    const set = scriptPublicKey === undefined ? undefined : index.ofScript(scriptPublicKey)
    const parent = records.all.get(outpoint.transactionId)
    const isLoaded = set?.phase.content === 'loaded'
    return isLoaded && set.entries.get(outpoint) === undefined && !(parent !== undefined && isCounted(parent))
  }).length
