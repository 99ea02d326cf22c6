import { Subject, type Observable } from 'rxjs'
import type { NotificationScope, NotificationType } from '../../node/messages/records.js'

/** What listeners want of the node, counted: the node hears of the first and of the last only. */
export interface DesiredSet {
  /** Counts one more listener. Scopes of UTXOs count each address on its own. */
  add(scope: NotificationScope): void
  /** Counts one less. What was never counted stays at nothing. */
  remove(scope: NotificationScope): void
  /** What the node should be subscribed to, addresses apart: at most one scope a type. */
  scopes(): ReadonlyMap<NotificationType, NotificationScope>
  /** The addresses whose UTXOs are watched. */
  addresses(): ReadonlySetLike
  /** Emits after each change of what is wanted; a mere change of counts is silent. */
  readonly changed$: Observable<void>
}

/** The readable part of a set. */
export interface ReadonlySetLike {
  has(value: string): boolean
  keys(): Iterable<string>
}

/** A desired set that nobody has asked anything of yet. */
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
  }
}

/** Moves a count by one; whether that made it something of nothing, or nothing of something. */
function count<Key>(counts: Map<Key, number>, key: Key, step: 1 | -1): boolean {
  const before = counts.get(key) ?? 0
  const after = Math.max(0, before + step)
  if (after === 0) counts.delete(key)
  else counts.set(key, after)
  return (before === 0) !== (after === 0)
}

type SimpleType = Exclude<NotificationType, 'utxos-changed' | 'virtual-chain-changed'>
type ScopeKey = SimpleType | 'virtual-chain-changed' | 'virtual-chain-changed with ids'

/** Who wants the accepted ids of the virtual chain is counted apart from who does not. */
function toKey(scope: Exclude<NotificationScope, { type: 'utxos-changed' }>): ScopeKey {
  if (scope.type !== 'virtual-chain-changed') return scope.type
  return scope.includeAcceptedTransactionIds ? 'virtual-chain-changed with ids' : 'virtual-chain-changed'
}

/** In the order of keys, the scope with ids comes after the one without, and so takes its place. */
function fromKey(key: ScopeKey): NotificationScope {
  if (key === 'virtual-chain-changed') return { type: key, includeAcceptedTransactionIds: false }
  if (key === 'virtual-chain-changed with ids') {
    return { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true }
  }
  return { type: key }
}
