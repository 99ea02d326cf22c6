import { isObservable, Subject, type Observable, type Subscription } from 'rxjs'
import { invalidArgument, type ChainError } from '../errors/chain-error.js'
import {
  type AddressChange,
  isWatchedAddresses,
  type WatchedAddresses,
} from '../streams/transfers/watched-addresses.js'
import { CHUNK } from './address-keeper.js'
import type { AddressRequest, RequestLimits, RequestTable } from './sink.js'

/**
 * The watched addresses of a feed: `'table'` for those that other programs write into the sink, all addresses, also as
 * a set that changes, or an observable of changes.
 */
export type FeedWatch = 'table' | Iterable<string> | WatchedAddresses | Observable<AddressChange>

/** The addresses that a program wants to be watched. Kept across sessions of the sink. */
export interface WantedAddresses {
  /**
   * The requests that make the stored addresses the wanted ones. Each call replaces the table of the call before.
   * Throws `ChainError` (`invalid-argument`) where that would remove addresses that are protected, because none of the
   * changes says so.
   */
  against(stored: ReadonlySet<string>, isProtected?: (address: string) => boolean): RequestTable
  end(): void
}

/**
 * Checks the option, then follows it. `always`: addresses that are wanted whatever it says. Throws `ChainError`
 * (`invalid-argument`).
 */
export function followWanted(watch: Exclude<FeedWatch, 'table'>, always: readonly string[] = []): WantedAddresses {
  if (isWatchedAddresses(watch)) return new Wanted(always, watch, watch.changes$)
  if (isObservable(watch)) return new Wanted(always, undefined, watch)
  if (typeof watch === 'string' || !(Symbol.iterator in watch))
    throw invalidArgument('watch', '"watch" is neither \'table\' nor addresses nor an observable of changes')
  return new Wanted(always, watch)
}

class Wanted implements WantedAddresses {
  /** The cursor of each, where it counts from one. */
  readonly #wanted = new Map<string, string | undefined>()
  readonly #unwanted = new Set<string>()
  readonly #subscription: Subscription | undefined
  readonly #changes = new Subject<void>()
  readonly #isComplete: boolean
  readonly #always: ReadonlySet<string>
  #table: GivenRequests | undefined
  /** Why no further changes come: each session has to report it. */
  #failure: { readonly error: unknown } | undefined

  constructor(always: readonly string[], all: Iterable<string> | undefined, changes$?: Observable<AddressChange>) {
    this.#isComplete = all !== undefined
    this.#always = new Set(always)
    for (const address of all ?? []) this.#wanted.set(address, undefined)
    for (const address of always) this.#wanted.set(address, undefined)
    this.#subscription = changes$?.subscribe({
      next: (change) => this.#apply(change),
      error: (error: unknown) => {
        this.#failure = { error }
        this.#table?.fail(error)
      },
    })
  }

  against(stored: ReadonlySet<string>, isProtected = (_address: string): boolean => false): RequestTable {
    const unwanted = this.#isComplete
      ? [...stored].filter((address) => !this.#wanted.has(address))
      : [...this.#unwanted]
    const deleted = unwanted.filter((address) => stored.has(address))
    const refused = deleted.filter((address) => isProtected(address) && !this.#unwanted.has(address))
    if (refused.length > 0) throw notWanted(refused)
    this.#table = new GivenRequests(this.#changes)
    if (this.#failure !== undefined) this.#table.fail(this.#failure.error)
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

  #apply(given: AddressChange): void {
    const change = { ...given, addresses: given.addresses.filter((address) => !this.#always.has(address)) }
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

/** The requests of one session. What was read is the reader's. */
class GivenRequests implements RequestTable {
  #deleted: string[] = []
  readonly #added = new Set<string>()
  /** Those that count from an older block. */
  readonly #backdated = new Map<string, Set<string>>()
  #failure: { readonly error: unknown } | undefined

  constructor(readonly changes$: Subject<void>) {}

  add({ type, addresses, since }: AddressRequest): void {
    if (type === 'deleted') {
      for (const address of addresses) this.#forget(address)
      this.#deleted = [...this.#deleted, ...addresses]
    } else {
      const lane = since === undefined ? this.#added : this.#laneOf(since)
      for (const address of addresses) if (!this.#isRequested(address)) lane.add(address)
    }
  }

  fail(error: unknown): void {
    this.#failure = { error }
    this.changes$.next()
  }

  read(limits: RequestLimits): Promise<readonly AddressRequest[]> {
    return new Promise((resolve) => resolve(this.#take(limits)))
  }

  #take({ addresses, passes }: RequestLimits): readonly AddressRequest[] {
    if (this.#failure !== undefined) throw this.#failure.error
    const deleted: AddressRequest = { type: 'deleted', addresses: this.#deleted }
    this.#deleted = []
    const requests: AddressRequest[] = [deleted, { type: 'added', addresses: takeFrom(this.#added, addresses) }]
    for (const [since, lane] of [...this.#backdated].slice(0, passes)) {
      requests.push({ type: 'added', since, addresses: takeFrom(lane, CHUNK) })
      if (lane.size === 0) this.#backdated.delete(since)
    }
    return requests.filter((request) => request.addresses.length > 0)
  }

  #laneOf(since: string): Set<string> {
    const lane = this.#backdated.get(since) ?? new Set()
    this.#backdated.set(since, lane)
    return lane
  }

  #isRequested(address: string): boolean {
    return this.#added.has(address) || [...this.#backdated.values()].some((lane) => lane.has(address))
  }

  #forget(address: string): void {
    this.#added.delete(address)
    for (const [since, lane] of this.#backdated)
      if (lane.delete(address) && lane.size === 0) this.#backdated.delete(since)
  }

  /** The program that requests is this one: it gets the error. */
  refuse(addresses: readonly string[], reason: string): Promise<void> {
    return Promise.reject(invalidArgument('watch', `"${addresses[0]}" cannot be watched: ${reason}`))
  }
}

const notWanted = (addresses: readonly string[]): ChainError =>
  invalidArgument(
    'watch',
    `"watch" lacks ${addresses.length} addresses that other programs have written into the table, such as ${addresses[0]}`,
    "Watch the table ('table', or no --addresses), add them, or delete their rows with replace: true (--replace).",
  )

/** Takes the first items out of a set. */
function takeFrom(items: Set<string>, count: number): readonly string[] {
  const taken: string[] = []
  for (const item of items) {
    if (taken.length >= count) break
    taken.push(item)
    items.delete(item)
  }
  return taken
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
