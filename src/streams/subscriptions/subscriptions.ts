import { BehaviorSubject, Subscription, distinctUntilChanged, timer, type Observable, Subject } from 'rxjs'
import type { NotificationScope, NotificationType } from '../../node/messages/records.js'
import type { Clock } from '../connection/heartbeat.js'
import type { ChainError } from '../../errors/chain-error.js'

/** Ms that a scope stays subscribed after its last release, so that a remounted component causes no requests. */
const RELEASE_DELAY = 1_000

/** The node subscriptions of a core: acquired by streams, placed on each connection by its session. */
export interface Subscriptions {
  /** Acquires a scope until the result is unsubscribed. It is placed now, or on the next connection. */
  acquire(scope: NotificationScope): Subscription
  /** The acquired scopes, and those released less than a second ago. */
  readonly desired: Pick<DesiredSet, 'scopes' | 'addresses' | 'changed$' | 'counts'>
  /** The subscriptions placed on the current connection, and the refused ones. Replays, emits only changes. */
  readonly placed$: Observable<Placed>
  /** Records the subscriptions of the current connection. */
  readonly setPlaced: (placed: Placed) => void
  dispose(): void
}

export function createSubscriptions({ scheduler }: Pick<Clock, 'scheduler'>): Subscriptions {
  const desired = createDesiredSet()
  const placed$ = new BehaviorSubject(NOTHING_PLACED)
  const lifetime = new Subscription()
  return {
    acquire: (scope) => {
      desired.add(scope)
      return new Subscription(() => {
        lifetime.add(timer(RELEASE_DELAY, scheduler).subscribe(() => desired.remove(scope)))
      })
    },
    desired,
    placed$: placed$.pipe(distinctUntilChanged()),
    setPlaced: (placed) => placed$.next(placed),
    dispose: () => {
      lifetime.unsubscribe()
      placed$.complete()
    },
  }
}

/** The desired node subscriptions, reference-counted. */
interface DesiredSet {
  /** Increments the count of a scope; UTXO scopes count per address. */
  add(scope: NotificationScope): void
  /** Decrements the count, not below 0. */
  remove(scope: NotificationScope): void
  /** The desired scopes without addresses: at most one per type. */
  scopes(): ReadonlyMap<NotificationType, NotificationScope>
  /** The desired addresses of `utxos-changed`. */
  addresses(): ReadonlySetLike
  /** Emits when a scope or address is added or removed, not on other changes of counts. */
  readonly changed$: Observable<void>
  readonly counts: SubscriptionCounts
}

/** How often scopes and addresses are acquired, for display. */
export interface SubscriptionCounts {
  /** By type; virtual chain scopes with accepted ids are `virtual-chain-changed with ids`. */
  readonly scopes: ReadonlyMap<string, number>
  /** The addresses of `utxos-changed`. */
  readonly addresses: ReadonlyMap<string, number>
}

/** The read-only part of a set. */
interface ReadonlySetLike {
  has(value: string): boolean
  keys(): Iterable<string>
}

export function createDesiredSet(): DesiredSet {
  const scopes = new Map<ScopeKey, number>()
  const addresses = new Map<string, number>()
  const changed$ = new Subject<void>()

  function update(scope: NotificationScope, step: 1 | -1): void {
    const changes =
      scope.type === 'utxos-changed'
        ? scope.addresses.filter((address) => count(addresses, address, step)).length
        : Number(count(scopes, toKey(scope), step))
    if (changes > 0) changed$.next()
  }

  return {
    add: (scope) => update(scope, 1),
    remove: (scope) => update(scope, -1),
    scopes: () =>
      new Map(
        [...scopes.keys()]
          .sort()
          .map(fromKey)
          .map((scope) => [scope.type, scope]),
      ),
    addresses: () => addresses,
    changed$,
    counts: { scopes, addresses },
  }
}

/** Changes a count by one; returns whether it changed from or to 0. */
function count<Key>(counts: Map<Key, number>, key: Key, step: 1 | -1): boolean {
  const before = counts.get(key) ?? 0
  const after = Math.max(0, before + step)
  if (after === 0) counts.delete(key)
  else counts.set(key, after)
  return (before === 0) !== (after === 0)
}

type SimpleType = Exclude<NotificationType, 'utxos-changed' | 'virtual-chain-changed'>
type ScopeKey = SimpleType | 'virtual-chain-changed' | 'virtual-chain-changed with ids'

/** Virtual chain scopes with and without accepted ids are counted separately. */
function toKey(scope: Exclude<NotificationScope, { type: 'utxos-changed' }>): ScopeKey {
  if (scope.type !== 'virtual-chain-changed') return scope.type
  return scope.includeAcceptedTransactionIds ? 'virtual-chain-changed with ids' : 'virtual-chain-changed'
}

/** In key order the scope with ids follows the one without, and replaces it in the map. */
function fromKey(key: ScopeKey): NotificationScope {
  if (key === 'virtual-chain-changed') return { type: key, includeAcceptedTransactionIds: false }
  if (key === 'virtual-chain-changed with ids') {
    return { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true }
  }
  return { type: key }
}

/** A subscription that the node refused or that failed the address check. */
export interface Refusal {
  readonly error: ChainError
  readonly tries: number
  /** Unix ms of the next retry. */
  readonly retryAt: number
}

/** The subscriptions of one connection, and the refused ones. The key of a refusal is the address or the type. */
export interface Placed {
  readonly scopes: ReadonlyMap<NotificationType, NotificationScope>
  readonly addresses: ReadonlySet<string>
  readonly refused: ReadonlyMap<string, Refusal>
}

/** The state of a new connection. */
export const NOTHING_PLACED: Placed = {
  scopes: /*#__PURE__*/ new Map(),
  addresses: /*#__PURE__*/ new Set(),
  refused: /*#__PURE__*/ new Map(),
}
