import { NEVER, Subject, Subscription, skip, timer, type Observable } from 'rxjs'
import type { UnconfirmedInput, UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import type { Outpoint } from '../../../model/utxo.js'
import type { NodeLink } from '../../session/node-link.js'
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
  /**
   * Reserves the inputs of an own payment and counts its outputs as unconfirmed; the returned function releases it
   * after a rejection. Reserving the same payment again renews the reservation. It ends when the UTXO index shows the
   * payment, or after `timeout` ms without a sign of it, by default 60 s; with Infinity only then. After a reorg that
   * reverts the payment its inputs are reserved again, until it is accepted or a transaction that spends them is
   * confirmed: it remains valid so long.
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
  const timers = new Map<string, Subscription>()
  const tokens = new Map<string, symbol>()

  const stopTimer = (id: string): void => {
    timers.get(id)?.unsubscribe()
    timers.delete(id)
  }
  const startTimer = (id: string, ms: number): void => {
    stopTimer(id)
    const expiry$ = ms === Infinity ? NEVER : timer(ms, node.platform.scheduler)
    const expiry = expiry$.subscribe(() => dispatch(id, { type: 'released' }))
    lifetime.add(expiry)
    timers.set(id, expiry)
  }
  function dispatch(id: string, event: RecordEvent): void {
    const before = records.all.get(id)?.own.step ?? 'none'
    records.dispatch(id, event)
    const after = records.all.get(id)?.own.step ?? 'none'
    if (after === before) return
    if (after === 'none') {
      stopTimer(id)
      tokens.delete(id)
    } else if (after !== 'accepted') {
      if (after !== 'pending') stopTimer(id)
    } else {
      startTimer(id, REVERT_TIMEOUT)
      if (timers.size > MAX_ACCEPTED) forgetOldest()
    }
  }
  function forgetOldest(): void {
    for (const [id, { own }] of records.all) {
      if (own.step !== 'accepted') continue
      dispatch(id, { type: 'released' })
      return
    }
  }
  const clear = (): void => {
    for (const id of [...timers.keys()]) stopTimer(id)
    tokens.clear()
    records.clear()
  }
  lifetime.add(node.network$.pipe(skip(1)).subscribe(clear)) // payments of another network
  lifetime.add(node.ended$.subscribe(() => lifetime.unsubscribe()))

  return {
    isReserved: (outpoint) => records.isSpent(outpoint),
    reserved: () => inputsOf(records),
    reserve: (transaction, timeout = RESERVATION_TIMEOUT) => {
      const { id } = transaction
      const token = Symbol(id)
      records.put(transaction)
      tokens.set(id, token)
      startTimer(id, timeout)
      dispatch(id, { type: 'reserved' })
      return () => {
        if (tokens.get(id) === token) dispatch(id, { type: 'released' })
      }
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
