import type { UnconfirmedInput, UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import { toOutpointKey, toScriptKey, type Outpoint, type OutpointKey } from '../../../model/utxo.js'
import { createRecord, isCounted, isOver, reduceRecord, type RecordEvent, type UnconfirmedRecord } from './record.js'

/** The unconfirmed transactions by id, and by the outpoints that they spend. */
export interface UnconfirmedRecords {
  readonly all: ReadonlyMap<string, UnconfirmedRecord>
  /** Increases with each change. */
  readonly version: number
  /** Ids of the transactions that spend an outpoint. */
  spendersOf(outpoint: Outpoint): Iterable<string>
  /** Whether any of them spends an outpoint. */
  isSpent(outpoint: Outpoint): boolean
  /** Creates the record of a transaction; an existing one stays. */
  add(transaction: UnconfirmedTransaction): void
  /**
   * Creates the record of a transaction, or replaces its transaction. What the earlier one states of its inputs counts
   * too: the id holds neither their scripts nor their amounts.
   */
  put(transaction: UnconfirmedTransaction): void
  /** Applies an event to a record, and removes the record if nothing is left to remember. No record, no change. */
  dispatch(id: string, event: RecordEvent): void
  clear(): void
}

const NO_SPENDERS: readonly string[] = []

/** `onChange`: called after each change of a record. */
export function createRecords(onChange: () => void): UnconfirmedRecords {
  const all = new Map<string, UnconfirmedRecord>()
  /** An outpoint has one spender nearly always: a set of each would be most of the cost of a reservation. */
  const spenders = new Map<OutpointKey, string | Set<string>>()
  /** The keys of what each transaction spends: a payment has up to some thousand inputs. */
  const keysOf = new Map<string, readonly OutpointKey[]>()
  let order = 0
  let version = 0

  function addSpender(key: OutpointKey, id: string): void {
    const ids = spenders.get(key)
    if (ids === undefined) spenders.set(key, id)
    else if (typeof ids !== 'string') ids.add(id)
    else if (ids !== id) spenders.set(key, new Set([ids, id]))
  }

  function removeSpender(key: OutpointKey, id: string): void {
    const ids = spenders.get(key)
    if (ids === id) spenders.delete(key)
    if (typeof ids !== 'object') return
    ids.delete(id)
    if (ids.size === 0) spenders.delete(key)
  }

  const create = (record: UnconfirmedRecord): void => {
    const { id, inputs } = record.transaction
    const keys = inputs.map(({ outpoint }) => toOutpointKey(outpoint))
    all.set(id, record)
    keysOf.set(id, keys)
    for (const key of keys) addSpender(key, id)
  }
  const remove = ({ transaction: { id } }: UnconfirmedRecord): void => {
    for (const key of keysOf.get(id) ?? []) removeSpender(key, id)
    all.delete(id)
    keysOf.delete(id)
  }

  const changed = (): void => {
    version++
    onChange()
  }

  return {
    all,
    get version() {
      return version
    },
    spendersOf: (outpoint) => {
      const ids = spenders.get(toOutpointKey(outpoint)) ?? NO_SPENDERS
      return typeof ids === 'string' ? [ids] : ids
    },
    isSpent: (outpoint) => spenders.size > 0 && spenders.has(toOutpointKey(outpoint)),
    add: (transaction) => {
      if (!all.has(transaction.id)) create(createRecord(transaction, order++))
    },
    put: (transaction) => {
      const before = all.get(transaction.id)
      if (before?.transaction === transaction) return
      if (before === undefined) {
        create(createRecord(transaction, order++))
        return
      }
      remove(before)
      create({ ...before, transaction: withInputsOf(transaction, before) })
      changed()
    },
    dispatch: (id, event) => {
      const before = all.get(id)
      if (before === undefined) return
      const after = reduceRecord(before, event)
      if (after !== before) all.set(id, after)
      if (isOver(after)) remove(after)
      if (after !== before) changed()
    },
    clear: () => {
      if (all.size === 0) return
      all.clear()
      keysOf.clear()
      spenders.clear()
      changed()
    },
  }
}

function withInputsOf(transaction: UnconfirmedTransaction, { own, transaction: { inputs } }: UnconfirmedRecord) {
  const known = new Set(transaction.inputs.map(toInputKey))
  const others = own.step === 'none' ? [] : inputs.filter((input) => !known.has(toInputKey(input)))
  return others.length === 0 ? transaction : { ...transaction, inputs: [...transaction.inputs, ...others] }
}

const toInputKey = ({ outpoint, scriptPublicKey, amount }: UnconfirmedInput): string =>
  [toOutpointKey(outpoint), scriptPublicKey && toScriptKey(scriptPublicKey), amount].join()

/** The transactions that spend an output of `record`, directly and indirectly. */
export function descendantsOf(record: UnconfirmedRecord, records: UnconfirmedRecords): ReadonlySet<string> {
  const descendants = new Set<string>()
  const pending = [record]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const { id, outputs } = parent.transaction
    outputs.forEach((_, index) => {
      for (const child of records.spendersOf({ transactionId: id, index })) {
        const childRecord = records.all.get(child)
        if (childRecord === undefined || descendants.has(child)) continue
        descendants.add(child)
        pending.push(childRecord)
      }
    })
  }
  return descendants
}

/** The counted transactions whose outputs `record` spends, directly and indirectly. */
export function ancestorsOf(record: UnconfirmedRecord, records: UnconfirmedRecords): ReadonlySet<string> {
  const ancestors = new Set<string>()
  const pending = [record]
  for (let child = pending.pop(); child !== undefined; child = pending.pop()) {
    for (const { outpoint } of child.transaction.inputs) {
      const parent = records.all.get(outpoint.transactionId)
      if (parent === undefined || !isCounted(parent) || ancestors.has(outpoint.transactionId)) continue
      ancestors.add(outpoint.transactionId)
      pending.push(parent)
    }
  }
  return ancestors
}
