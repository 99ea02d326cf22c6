import { isObservable, Subject, type Observable, type Subscription } from 'rxjs'
import { invalidArgument } from '../errors/chain-error.js'
import type { AddressChange } from '../streams/transfers/watched-addresses.js'
import { isWatchedAddresses, type WatchedAddresses } from '../streams/transfers/watched-addresses.js'
import type { AddressRequest } from './address-request.js'
import type { RequestTable } from './sink.js'

/**
 * The watched addresses of a feed: `'table'` for those that other programs write into the sink, all addresses, also as a set that
 * changes, or an observable of changes.
 */
export type FeedWatch = 'table' | Iterable<string> | WatchedAddresses | Observable<AddressChange>

/** The addresses that a program wants to be watched. Kept across sessions of the sink. */
export interface WantedAddresses {
  /** The requests that make the stored addresses the wanted ones. Each call replaces the table of the call before. */
  against(stored: ReadonlySet<string>): RequestTable
  end(): void
}

/** Checks the option, then follows it. Throws `ChainError` (`invalid-argument`). */
export function followWanted(watch: Exclude<FeedWatch, 'table'>): WantedAddresses {
  if (isWatchedAddresses(watch)) return new Wanted(watch, watch.changes$)
  if (isObservable(watch)) return new Wanted(undefined, watch)
  if (typeof watch === 'string' || !(Symbol.iterator in watch))
    throw invalidArgument('watch', '"watch" is neither \'table\' nor addresses nor an observable of changes')
  return new Wanted(watch)
}

class Wanted implements WantedAddresses {
  /** The cursor of each, where it counts from one. */
  readonly #wanted = new Map<string, string | undefined>()
  readonly #unwanted = new Set<string>()
  readonly #subscription: Subscription | undefined
  readonly #changes = new Subject<void>()
  readonly #isComplete: boolean
  #table: GivenRequests | undefined

  constructor(all: Iterable<string> | undefined, changes$?: Observable<AddressChange>) {
    this.#isComplete = all !== undefined
    for (const address of all ?? []) this.#wanted.set(address, undefined)
    this.#subscription = changes$?.subscribe({
      next: (change) => this.#apply(change),
      error: (error: unknown) => this.#table?.fail(error),
    })
  }

  against(stored: ReadonlySet<string>): RequestTable {
    const unwanted = this.#isComplete
      ? [...stored].filter((address) => !this.#wanted.has(address))
      : [...this.#unwanted]
    const deleted = unwanted.filter((address) => stored.has(address))
    this.#table = new GivenRequests(this.#changes)
    this.#table.add({ type: 'deleted', addresses: deleted })
    for (const [since, addresses] of groups(this.#wanted)) {
      const missing = addresses.filter((address) => !stored.has(address))
      this.#table.add({ type: 'added', addresses: missing, since })
    }
    return this.#table
  }

  end(): void {
    this.#subscription?.unsubscribe()
  }

  #apply(change: AddressChange): void {
    for (const address of change.addresses) {
      if (change.type === 'added') {
        this.#wanted.set(address, change.since)
        this.#unwanted.delete(address)
      } else {
        this.#wanted.delete(address)
        this.#unwanted.add(address)
      }
    }
    this.#table?.add(change)
    this.#changes.next()
  }
}

/** The requests of one session, oldest first. What was read is the reader's. */
class GivenRequests implements RequestTable {
  #queue: readonly AddressRequest[] = []
  #failure: { readonly error: unknown } | undefined

  constructor(readonly changes$: Subject<void>) {}

  add(request: AddressRequest): void {
    if (request.addresses.length > 0) this.#queue = [...this.#queue, request]
  }

  fail(error: unknown): void {
    this.#failure = { error }
    this.changes$.next()
  }

  read(limit: number): Promise<readonly AddressRequest[]> {
    return new Promise((resolve) => resolve(this.#take(limit)))
  }

  #take(limit: number): readonly AddressRequest[] {
    if (this.#failure !== undefined) throw this.#failure.error
    const [first, ...others] = this.#queue
    if (first === undefined) return []
    const left = first.addresses.slice(limit)
    this.#queue = left.length === 0 ? others : [{ ...first, addresses: left }, ...others]
    return [{ ...first, addresses: first.addresses.slice(0, limit) }]
  }

  /** The program that requests is this one: it gets the error. */
  refuse(addresses: readonly string[], reason: string): Promise<void> {
    return Promise.reject(invalidArgument('watch', `"${addresses[0]}" cannot be watched: ${reason}`))
  }
}

function groups(wanted: ReadonlyMap<string, string | undefined>): ReadonlyMap<string | undefined, readonly string[]> {
  const bySince = new Map<string | undefined, string[]>()
  for (const [address, since] of wanted) {
    const group = bySince.get(since)
    if (group === undefined) bySince.set(since, [address])
    else group.push(address)
  }
  return bySince
}
