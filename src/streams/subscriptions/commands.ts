import type { ChainError } from '../../errors/chain-error.js'
import type { NotificationScope } from '../../node/messages/records.js'
import { DEFAULT_RETRIES, backoff } from '../connection/policy.js'
import type { Placed, Refusal } from './placed.js'
import type { Subscriptions } from './subscriptions.js'

/** One request to the node. */
export interface Command {
  readonly method: 'subscribe' | 'unsubscribe'
  readonly scope: NotificationScope
}

/** Addresses in one request, at most. */
const ADDRESSES_AT_ONCE = 1_000

/** What to ask the node for next, so that what is placed becomes what is desired; null when nothing is left to do at `now`. */
export function nextCommand(desired: Subscriptions['desired'], placed: Placed, now: number): Command | null {
  const isOpen = (key: string): boolean => waitOf(placed.refused.get(key), now) === 0
  const scopes = desired.scopes()
  for (const scope of scopes.values()) {
    if (!isSameScope(scope, placed.scopes.get(scope.type)) && isOpen(scope.type)) return { method: 'subscribe', scope }
  }
  const missing = take(desired.addresses().keys(), (one) => !placed.addresses.has(one) && isOpen(one))
  if (missing.length > 0) return { method: 'subscribe', scope: { type: 'utxos-changed', addresses: missing } }
  for (const scope of placed.scopes.values()) {
    if (!scopes.has(scope.type)) return { method: 'unsubscribe', scope }
  }
  const needless = take(placed.addresses, (one) => !desired.addresses().has(one))
  // Never an empty list: to a node that means every address.
  return needless.length > 0 ? { method: 'unsubscribe', scope: { type: 'utxos-changed', addresses: needless } } : null
}

/** What is placed once the node has done what `command` asked. */
export function done(placed: Placed, { method, scope }: Command): Placed {
  const refused = without(placed.refused, keysOf(scope))
  if (scope.type === 'utxos-changed') {
    const addresses = new Set(placed.addresses)
    for (const address of scope.addresses) addresses[method === 'subscribe' ? 'add' : 'delete'](address)
    return { ...placed, addresses, refused }
  }
  const scopes = new Map(placed.scopes)
  if (method === 'subscribe') scopes.set(scope.type, scope)
  else scopes.delete(scope.type)
  return { ...placed, scopes, refused }
}

/**
 * What is placed once `command` has failed. A subscription is refused, and tried again after a growing wait. An
 * unsubscription counts as done: what still comes is not listened to, and asking for ever would help nobody.
 */
export function failed(placed: Placed, command: Command, error: ChainError, now: number): Placed {
  if (command.method === 'unsubscribe') return done(placed, command)
  return refuse(
    placed,
    keysOf(command.scope).map((key) => [key, error]),
    now,
  )
}

/**
 * What is placed once some of what is wanted has been refused, each for a reason of its own: all together, since they may
 * be thousands.
 */
export function refuse(
  placed: Placed,
  refusals: readonly (readonly [key: string, error: ChainError])[],
  now: number,
): Placed {
  if (refusals.length === 0) return placed
  const refused = new Map(placed.refused)
  for (const [key, error] of refusals) {
    const tries = (refused.get(key)?.tries ?? 0) + 1
    refused.set(key, { error, tries, retryAt: now + backoff(tries, DEFAULT_RETRIES, 0) })
  }
  return { ...placed, refused }
}

/** Ms from `now` until the next refused subscription that is still desired may be tried again; Infinity for never. */
export function nextRetryIn(desired: Subscriptions['desired'], placed: Placed, now: number): number {
  const scopes: ReadonlyMap<string, unknown> = desired.scopes()
  const isDesired = (key: string): boolean => desired.addresses().has(key) || scopes.has(key)
  let soonest = Infinity
  for (const [key, refusal] of placed.refused) if (isDesired(key)) soonest = Math.min(soonest, waitOf(refusal, now))
  return soonest
}

/** Ms from `now` until it may be tried again. No wait is as long as it would be by a clock that was set back. */
function waitOf(refusal: Refusal | undefined, now: number): number {
  const wait = (refusal?.retryAt ?? -Infinity) - now
  return wait > DEFAULT_RETRIES.maxDelay ? 0 : Math.max(0, wait)
}

const keysOf = (scope: NotificationScope): readonly string[] =>
  scope.type === 'utxos-changed' ? scope.addresses : [scope.type]

function isSameScope(wanted: NotificationScope, placed: NotificationScope | undefined): boolean {
  if (wanted.type !== 'virtual-chain-changed') return placed !== undefined
  return placed?.type === wanted.type && placed.includeAcceptedTransactionIds === wanted.includeAcceptedTransactionIds
}

/** The first of `values` that pass, as many as fit into one request. */
function take(values: Iterable<string>, passes: (value: string) => boolean): string[] {
  const taken: string[] = []
  for (const value of values) {
    if (passes(value)) taken.push(value)
    if (taken.length === ADDRESSES_AT_ONCE) break
  }
  return taken
}

function without<Key, Value>(map: ReadonlyMap<Key, Value>, keys: readonly Key[]): ReadonlyMap<Key, Value> {
  if (map.size === 0) return map
  const rest = new Map(map)
  for (const key of keys) rest.delete(key)
  return rest
}
