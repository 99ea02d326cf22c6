import { createAttempts } from '../chain/attempts.js'
import { followLocated } from '../chain/follow-chain.js'
import { createChainReader } from '../chain/chain-reader.js'
import { readBlock } from '../chain/header.js'
import { toIterator, type OpenedIteration } from '../chain/iteration.js'
import { aborted, untilEnded$ } from '../chain/endings.js'
import { createFollowScope, type FollowDeps } from '../chain/scope.js'
import { toFollowSettings, type FollowChainOptions } from '../chain/options.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { KnownOutputs, type FindCredits } from './known-outputs.js'
import type { TransferBatch } from './transfer.js'
import { transferBatches, TransferFollower } from './transfer-batches.js'
import {
  requireNetwork,
  createWatchedAddresses,
  isWatchedAddresses,
  type WatchedAddresses,
} from './watched-addresses.js'
import { firstValueFrom, isObservable, merge, Subscription, tap, type Observable } from 'rxjs'
import { isAddressSource, toAddresses$, type AddressSource, type FollowedAddresses } from '../addresses.js'
import type { FindOpenings } from './openings.js'

/** Batches of transfers, pulled one by one. `return()` and `signal` release everything at once. */
export type TransferBatches = AsyncIterableIterator<TransferBatch, undefined, undefined>

/**
 * Credits and debits of addresses, with the guarantees of `followChain`: store the rows and `cursor` of a batch
 * together, and each transfer counts once, across reorgs, reconnects, node switches and restarts. The sums equal the
 * balances of the node, because an address begins with opening credits for its older UTXOs. The costs do not grow with
 * the number of addresses. Rejects as `followChain` does; `invalid-argument` also for an invalid address, before
 * anything is sent. Needs a node of 1.1 or later with a UTXO index.
 */
export type FollowTransfers = (options: FollowTransfersOptions) => TransferBatches

export interface FollowTransfersDeps extends FollowDeps {
  /** Whether an address got the change of an own payment. */
  readonly isOwnChange: (address: string, transactionId: string) => boolean
}

export const createFollowTransfers =
  (deps: FollowTransfersDeps): FollowTransfers =>
  (options) =>
    toIterator(() => open(deps, options))

/** Checks the options, then opens the access to the node. */
async function open(
  deps: FollowTransfersDeps,
  options: FollowTransfersOptions,
): Promise<OpenedIteration<TransferBatch>> {
  const { addresses, counted, findCredits, findOpenings, detail = 'full', ...chain } = options
  const network = deps.network()
  const settings = toFollowSettings({ ...chain, detail }, network, deps.target().urls)
  if (!('addresses' in options))
    throw invalidArgument('addresses', '"addresses" is missing', 'Pass the watched addresses.')
  const set = toFollowedSet(addresses, untilEnded$(deps, chain.signal))
  const { watched, isChange, update } = set instanceof Promise ? await set : set // a set is followed from next() on
  requireNetwork(watched, network)
  const scope = createFollowScope(deps, chain.signal)
  const attempts = createAttempts(scope, {
    timeout: settings.nodeBehindTimeout,
    onFailure: () => undefined,
    onProblem: settings.onProblem,
  })
  const { signal, nodeBehindTimeout, onBehind, agree, onProblem } = chain
  const follower = new TransferFollower({
    scope,
    attempts,
    network,
    watched,
    known: new KnownOutputs(findCredits),
    minConfirmations: settings.minConfirmations,
    findOpenings,
    counted,
    isChange: (address, transactionId) => isChange(address) || deps.isOwnChange(address, transactionId),
    cursor: chain.cursor ?? null,
    readStart: async () => {
      const { locator } = await createChainReader(scope, settings).start()
      return attempts.run(() => readBlock(scope, locator.tip.hash))
    },
    hasBlocks: detail === 'contracts',
    followMain: (cursor) => followLocated(deps, { ...chain, from: undefined, cursor, detail }),
    follow: (cursor) => followLocated(deps, { cursor, signal, nodeBehindTimeout, onBehind, agree, onProblem }),
  })
  const updates = update(follower.fail)
  return {
    batches: transferBatches(follower),
    end(reason) {
      updates.unsubscribe()
      follower.end()
      scope.end(aborted(reason))
    },
  }
}

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
interface FollowedSet {
  readonly watched: WatchedAddresses
  readonly isChange: (address: string) => boolean
  /** Follows later lists. `onFailure` gets the error of their observable, or of a list that has what is no address. */
  readonly update: (onFailure: (error: unknown) => void) => Subscription
}

/**
 * The addresses of an option as a set; of an observable or account once it has its first list, unless `ended$` errors
 * before.
 */
function toFollowedSet(addresses: TransferAddresses, ended$: Observable<never>): FollowedSet | Promise<FollowedSet> {
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
