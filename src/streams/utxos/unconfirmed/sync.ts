import type { EntryChanges } from '../store/store.js'
import { applyIndex, isShown } from './apply-index.js'
import { applyRead, type ListedTransactions, type MempoolResponse } from './apply-read.js'
import type { CurrentEffects } from './current-effects.js'
import type { UtxoIndex } from './effects.js'
import { isReadDue, isWaiting } from './record.js'
import type { Unconfirmed } from './unconfirmed.js'

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
