import { firstValueFrom, isObservable, merge, Subscription, tap, type Observable } from 'rxjs'
import { isAddressSource, toAddresses$, type AddressSource, type FollowedAddresses } from '../addresses.js'
import type { FollowChainOptions } from '../chain/options.js'
import type { FindCredits } from './known-outputs.js'
import type { FindOpenings } from './openings.js'
import { createWatchedAddresses, isWatchedAddresses, type WatchedAddresses } from './watched-addresses.js'

/**
 * The addresses of `followTransfers`: a list, an observable of lists, an account, or a set that changes while it is
 * followed.
 */
export type TransferAddresses = FollowedAddresses | WatchedAddresses

/** What `followTransfers` follows, and from where. */
export interface FollowTransfersOptions extends Omit<FollowChainOptions, 'detail'> {
  /** With `contracts` each batch has the `blocks` that it comes from, in all details. @default 'full' */
  readonly detail?: 'full' | 'contracts' | undefined
  /**
   * With `cursor` and without `counted`, those that counted there: the application has their rows. Others are added to
   * a set of `createWatchedAddresses` once it is followed.
   */
  readonly addresses: TransferAddresses
  /**
   * With `cursor`, those of `addresses` that counted there: the others are added when the iteration begins. Needed
   * where `addresses` may have grown since, as those of an account or an observable. @default all of them
   */
  readonly counted?: Iterable<string> | undefined
  /**
   * Looks up stored credits. Needed after a restart, to recognise debits in the rare block that a node does not return
   * whole: one that accepts a script without an address. Credits of this process are known without it.
   */
  readonly findCredits?: FindCredits | undefined
  /**
   * Looks up since when addresses count. With `cursor`, a reorg below the addition of an address then reports its
   * opening credits again. Without it, all addresses are taken to count since the oldest block of the cursor.
   */
  readonly findOpenings?: FindOpenings | undefined
}

/** A followed set, and what keeps it up to date. */
export interface FollowedSet {
  readonly watched: WatchedAddresses
  readonly isChange: (address: string) => boolean
  /** Follows later lists. `onFailure` gets the error of their observable, or of a list that has what is no address. */
  readonly update: (onFailure: (error: unknown) => void) => Subscription
}

/**
 * The addresses of an option as a set; of an observable or account once it has its first list, unless `ended$` errors
 * before.
 */
export function toFollowedSet(
  addresses: TransferAddresses,
  ended$: Observable<never>,
): FollowedSet | Promise<FollowedSet> {
  if (isWatchedAddresses(addresses)) return withoutLists(addresses)
  if (!isObservable(addresses) && !isAddressSource(addresses)) return withoutLists(createWatchedAddresses(addresses))
  return followLists(addresses, ended$)
}

const withoutLists = (watched: WatchedAddresses): FollowedSet => ({
  watched,
  isChange: () => false,
  update: () => Subscription.EMPTY,
})

async function followLists(
  addresses: Observable<readonly string[]> | AddressSource,
  ended$: Observable<never>,
): Promise<FollowedSet> {
  const isChange = (address: string): boolean => isAddressSource(addresses) && (addresses.isChange?.(address) ?? false)
  const addresses$ = toAddresses$(addresses)
  const watched = createWatchedAddresses(await firstValueFrom(merge(ended$, addresses$)))
  const updated$ = addresses$.pipe(tap((list) => update(watched, list)))
  return { watched, isChange, update: (onFailure) => updated$.subscribe({ error: onFailure }) }
}

/** Makes a set equal to a list. */
function update(watched: WatchedAddresses, list: readonly string[]): void {
  const wanted = new Set(list)
  watched.delete([...watched].filter((address) => !wanted.has(address)))
  watched.add(list)
}
