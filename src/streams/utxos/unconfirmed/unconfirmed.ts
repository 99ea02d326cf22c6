import { Subject, Subscription, skip, type Observable, timer, type SchedulerLike } from 'rxjs'
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

/** Those who have reserved a payment, each until it releases it or its time is over: this tab, and claims of others. */
interface Holders {
  /** `onLast` is called where this was the last one of the payment. Ms; Infinity: no expiry. */
  add(id: string, timeout: number, onLast: () => void): () => void
  /** The reservations of a payment do not expire any more. */
  stopTimers(id: string): void
  /** Forgets those of a payment: a later release has no effect. */
  end(id: string): void
  /** Forgets all. */
  clear(): void
}

/** No timer outlives `lifetime`. */
function createHolders(scheduler: SchedulerLike, lifetime: Subscription): Holders {
  const all = new Map<string, Set<Subscription>>()
  const stopTimers = (id: string): void => {
    for (const holder of all.get(id) ?? []) holder.unsubscribe()
  }
  const end = (id: string): void => {
    stopTimers(id)
    all.delete(id)
  }
  return {
    add(id, timeout, onLast) {
      const holder = new Subscription()
      lifetime.add(holder)
      const holders = all.get(id) ?? new Set()
      all.set(id, holders.add(holder))
      const release = (): void => {
        holder.unsubscribe()
        if (!holders.delete(holder) || holders.size > 0 || all.get(id) !== holders) return
        all.delete(id)
        onLast()
      }
      if (timeout !== Infinity) holder.add(timer(timeout, scheduler).subscribe(release))
      return release
    },
    stopTimers,
    end,
    clear() {
      for (const id of all.keys()) end(id)
    },
  }
}

/** Accepted payments that are remembered for a time, the first accepted first. */
interface Memories {
  /** Remembers a payment; `onForgotten` is called once its time is over, or beyond the capacity. */
  add(id: string): void
  /** Forgets one without a call. */
  delete(id: string): void
  clear(): void
}

interface MemoriesDeps {
  readonly scheduler: SchedulerLike
  readonly lifetime: Subscription
  /** How many are remembered, at most. */
  readonly capacity: number
  /** Ms. */
  readonly span: number
}

/**
 * One timer for all, since each is remembered for the same time: a timer for each takes 1.8 kB, half of what is
 * remembered of a payment. None outlives `lifetime`.
 */
function createMemories(
  { scheduler, lifetime, capacity, span }: MemoriesDeps,
  onForgotten: (id: string) => void,
): Memories {
  /** When each is forgotten, scheduler time, in ascending order. */
  const due = new Map<string, number>()
  let timer: Subscription | undefined
  lifetime.add(() => timer?.unsubscribe())

  const start = (delay: number): void => {
    if (!lifetime.closed) timer ??= scheduler.schedule(forgetDue, delay)
  }
  const forget = (id: string): void => {
    due.delete(id)
    onForgotten(id)
  }
  const forgetDue = (): void => {
    timer = undefined
    for (const [id, time] of due) {
      const remaining = time - scheduler.now()
      if (remaining > 0) {
        start(remaining)
        return
      }
      forget(id)
    }
  }
  return {
    add: (id) => {
      due.delete(id) // so that it is the last one
      due.set(id, scheduler.now() + span)
      start(span)
      const [oldest] = due.keys()
      if (due.size > capacity && oldest !== undefined) forget(oldest)
    },
    delete: (id) => due.delete(id),
    clear: () => due.clear(),
  }
}
