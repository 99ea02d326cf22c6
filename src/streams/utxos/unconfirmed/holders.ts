import { Subscription, timer, type SchedulerLike } from 'rxjs'

/** Those who have reserved a payment, each until it releases it or its time is over: this tab, and claims of others. */
export interface Holders {
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
export function createHolders(scheduler: SchedulerLike, lifetime: Subscription): Holders {
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
