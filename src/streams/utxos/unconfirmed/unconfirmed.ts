import { Subject, Subscription, skip, type Observable } from 'rxjs'
import type { UnconfirmedInput, UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import type { Outpoint } from '../../../model/utxo.js'
import type { NodeLink } from '../../session/node-link.js'
import { createHolders } from './holders.js'
import { createMemories } from './memories.js'
import type { RecordEvent } from './record.js'
import { createRecords, type UnconfirmedRecords } from './records.js'

/** Ms after which a payment is forgotten that neither the mempool nor the UTXO index shows. */
export const RESERVATION_TIMEOUT = 60_000

/** Ms for which an accepted payment is remembered. */
export const REVERT_TIMEOUT = 600_000

/** Own payments that are remembered after their acceptance, at most. */
const MAX_ACCEPTED = 10_000

/**
 * Own payments, and the transactions of the mempool that concern tracked addresses. Payments reserve the UTXOs that
 * they spend, so that no second one selects them.
 */
export interface Unconfirmed {
  /** Whether an unconfirmed transaction spends a UTXO. */
  isReserved(outpoint: Outpoint): boolean
  /** What unconfirmed transactions spend. */
  reserved(): Iterable<UnconfirmedInput>
  /** The unconfirmed transactions, and own ones that were accepted last. */
  payments(): Iterable<UnconfirmedTransaction>
  /**
   * Reserves the inputs of an own payment and counts its outputs as unconfirmed; the returned function releases it
   * after a rejection. Reserving the same payment again is a reservation of its own: it ends with the last one, or when
   * the UTXO index shows the payment. Each ends after `timeout` ms without a sign of it, by default 60 s; with Infinity
   * only when it is released. After a reorg that reverts the payment its inputs are reserved again until it is accepted
   * or a transaction that spends them is confirmed: it remains valid so long.
   */
  reserve(transaction: UnconfirmedTransaction, timeout?: number): () => void
  /** Ends the reservation of a payment that another one has replaced. */
  replaced(id: string): void
  /**
   * An own payment is followed to this many confirmations: a conflicting transaction needs as many. No effect on
   * others.
   */
  followed(id: string, confirmations: number): void
  /** All of them, for the synchronization with mempool and UTXO index. Dispatch with `dispatch`. */
  readonly records: UnconfirmedRecords
  dispatch(id: string, event: RecordEvent): void
  /** Emits after each change, synchronously. */
  readonly changed$: Observable<void>
}

export function createUnconfirmed(node: Pick<NodeLink, 'network$' | 'ended$' | 'platform'>): Unconfirmed {
  const changed$ = new Subject<void>()
  const records = createRecords(() => changed$.next())
  const lifetime = new Subscription()
  const holders = createHolders(node.platform.scheduler, lifetime)
  const scope = { scheduler: node.platform.scheduler, lifetime, capacity: MAX_ACCEPTED, span: REVERT_TIMEOUT }
  const accepted = createMemories(scope, (id) => dispatch(id, { type: 'released' }))

  function dispatch(id: string, event: RecordEvent): void {
    const before = records.all.get(id)?.own.step ?? 'none'
    records.dispatch(id, event)
    const after = records.all.get(id)?.own.step ?? 'none'
    if (after === before) return
    accepted.delete(id)
    if (after === 'none' || after === 'accepted') holders.end(id)
    else if (after !== 'pending') holders.stopTimers(id)
    if (after === 'accepted') accepted.add(id)
  }
  const clear = (): void => {
    accepted.clear()
    holders.clear()
    records.clear()
  }
  lifetime.add(node.network$.pipe(skip(1)).subscribe(clear)) // payments of another network
  lifetime.add(node.ended$.subscribe(() => lifetime.unsubscribe()))

  return {
    isReserved: (outpoint) => records.isSpent(outpoint),
    reserved: () => inputsOf(records),
    payments: () => [...records.all.values()].map(({ transaction }) => transaction),
    reserve: (transaction, timeout = RESERVATION_TIMEOUT) => {
      const { id } = transaction
      records.put(transaction)
      const release = holders.add(id, timeout, () => dispatch(id, { type: 'released' }))
      dispatch(id, { type: 'reserved' })
      return release
    },
    followed: (id, confirmations) => dispatch(id, { type: 'followed', confirmations }),
    replaced: (id) => dispatch(id, { type: 'replaced' }),
    records,
    dispatch,
    changed$,
  }
}

function* inputsOf({ all }: UnconfirmedRecords): Iterable<UnconfirmedInput> {
  for (const { transaction } of all.values()) yield* transaction.inputs
}
