import { Subject, type Observable, defer, from, merge } from 'rxjs'
import { invalidArgument, type ChainError, refuseUnknown } from '../../errors/chain-error.js'
import { isValidAddress } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'

/** Addresses that join a set, or leave it. */
export interface AddressChange {
  readonly type: 'added' | 'deleted'
  readonly addresses: readonly string[]
  /** The cursor from which added addresses count. */
  readonly since: string | undefined
  /** As `AddOptions.onFailure`. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** How addresses are added. */
export interface AddOptions {
  /** The cursor from which they count. */
  readonly since?: string | undefined
  /**
   * Gets the error of the pass that reads what they had, such as `history-gap` for a `since` that the node does not
   * have; they never count then, until they are deleted and added again. Without it, the iteration rejects with the
   * error.
   */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** A set of addresses for `followTransfers`, of any size. Changes are followed from the first call of `next()` on. */
export interface WatchedAddresses extends Iterable<string> {
  readonly size: number
  has(address: string): boolean
  /**
   * Adds addresses. They count from the next batch on, with opening credits for their older UTXOs; with `since`, a
   * cursor, from there. Throws `ChainError` (`invalid-argument`) for text that is no address; then none is added.
   */
  add(addresses: string | Iterable<string>, options?: AddOptions): void
  /** Removes addresses: transfers are no longer reported from the next batch on. */
  delete(addresses: string | Iterable<string>): void
  /** Hot. Emits changes of the set, replays nothing. */
  readonly changes$: Observable<AddressChange>
}

/** Creates a set of addresses. Throws `ChainError` (`invalid-argument`) for text that is no address. */
export function createWatchedAddresses(initial: Iterable<string> = []): WatchedAddresses {
  const watched = new Set<string>()
  const changes = new Subject<AddressChange>()
  const toList = (addresses: string | Iterable<string>) =>
    typeof addresses === 'string' ? [addresses] : [...addresses]
  const set: WatchedAddresses = {
    get size() {
      return watched.size
    },
    has: (address) => watched.has(address),
    add(addresses, options = {}) {
      refuseUnknown(options, ['since', 'onFailure'])
      const { since, onFailure } = options
      const list = toList(addresses)
      requireAddresses(list)
      const added = [...new Set(list)].filter((address) => !watched.has(address))
      for (const address of added) watched.add(address)
      if (added.length > 0) changes.next({ type: 'added', addresses: added, since, onFailure })
    },
    delete(addresses) {
      const deleted = toList(addresses).filter((address) => watched.delete(address))
      if (deleted.length > 0) changes.next({ type: 'deleted', addresses: deleted, since: undefined })
    },
    changes$: changes.asObservable(),
    [Symbol.iterator]: () => watched.values(),
  }
  set.add(initial)
  return set
}

/** Addresses that are checked in one task: some 20 ms. */
const SLICE = 10_000

/** The same for any number of addresses, in several tasks: timers and sockets are served in between. */
export async function loadWatchedAddresses(initial: readonly string[]): Promise<WatchedAddresses> {
  const set = createWatchedAddresses()
  for (let from = 0; from < initial.length; from += SLICE) {
    set.add(initial.slice(from, from + SLICE))
    await new Promise((resolve) => setTimeout(resolve))
  }
  return set
}

export const isWatchedAddresses = (value: unknown): value is WatchedAddresses =>
  typeof value === 'object' && value !== null && 'changes$' in value && Symbol.iterator in value

/** Throws `ChainError` (`invalid-argument`) that names the first text that is no address. */
function requireAddresses(addresses: readonly unknown[]): void {
  const index = addresses.findIndex((address) => !isValidAddress(address))
  if (index !== -1) throw invalidAddress(`addresses[${index}]`)
}

/**
 * Throws `ChainError` (`invalid-argument`) that names the first valid address of another network. Fast: a set may be
 * large.
 */
export function requireNetwork(addresses: Iterable<string>, network: ChainNetwork): void {
  const prefix = `${NETWORKS[network].addressPrefix}:`
  let index = 0
  for (const address of addresses) {
    if (!address.startsWith(prefix)) throw invalidAddress(`addresses[${index}]`, network)
    index += 1
  }
}

function invalidAddress(argument: string, network?: ChainNetwork): ChainError {
  const where = network === undefined ? '' : ` of ${network}`
  return invalidArgument(argument, `"${argument}" is no address${where}`, 'Pass addresses as text, all of one network.')
}

/**
 * A view of a set that keeps the changes from now on for its first subscriber: an address that is added while the code
 * of `followTransfers` is being loaded counts as added, not as followed from the beginning.
 */
export function keepChanges(set: WatchedAddresses): WatchedAddresses {
  const kept: AddressChange[] = []
  const keeping = set.changes$.subscribe((change) => kept.push(change))
  return {
    get size() {
      return set.size
    },
    has: (address) => set.has(address),
    add: (addresses, options) => set.add(addresses, options),
    delete: (addresses) => set.delete(addresses),
    changes$: defer(() => {
      keeping.unsubscribe()
      return merge(from(kept.splice(0)), set.changes$)
    }),
    [Symbol.iterator]: () => set[Symbol.iterator](),
  }
}
