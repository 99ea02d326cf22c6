import type { ChainError } from '../../errors/chain-error.js'
import type { NotificationScope } from '../../node/messages/records.js'
import { DEFAULT_RETRIES, backoff } from '../connection/policy.js'
import type { Placed, Refusal, Subscriptions } from './subscriptions.js'

/** One request to the node. */
export interface Command {
  readonly method: 'subscribe' | 'unsubscribe'
  readonly scope: NotificationScope
}

/** The maximum number of addresses per request. */
const MAX_ADDRESSES = 1_000

/** The next request that brings `placed` closer to `desired`; null if there is none at `now`. */
export function nextCommand(desired: Subscriptions['desired'], placed: Placed, now: number): Command | null {
  const isRetryable = (key: string): boolean => retryDelay(placed.refused.get(key), now) === 0
  const scopes = desired.scopes()
  for (const scope of scopes.values()) {
    if (!isSameScope(scope, placed.scopes.get(scope.type)) && isRetryable(scope.type))
      return { method: 'subscribe', scope }
  }
  const missing = take(desired.addresses().keys(), (one) => !placed.addresses.has(one) && isRetryable(one))
  if (missing.length > 0) return { method: 'subscribe', scope: { type: 'utxos-changed', addresses: missing } }
  for (const scope of placed.scopes.values()) {
    if (!scopes.has(scope.type)) return { method: 'unsubscribe', scope }
  }
  const unneeded = take(placed.addresses, (one) => !desired.addresses().has(one))
  // Never an empty list: a node interprets it as all addresses.
  return unneeded.length > 0 ? { method: 'unsubscribe', scope: { type: 'utxos-changed', addresses: unneeded } } : null
}

/** Applies a successful command. */
export function applySuccess(placed: Placed, { method, scope }: Command): Placed {
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
 * Applies a failed command. A subscription becomes refused and is retried with backoff. An unsubscription counts as
 * done: its notifications have no subscribers, and is not retried.
 */
export function applyFailure(placed: Placed, command: Command, error: ChainError, now: number): Placed {
  if (command.method === 'unsubscribe') return applySuccess(placed, command)
  return applyRefusals(
    placed,
    keysOf(command.scope).map((key) => [key, error]),
    now,
  )
}

/** Adds refusals, in one copy, because there may be thousands. */
export function applyRefusals(
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

/** Ms from `now` until the next refused and still desired subscription may be retried; Infinity if there is none. */
export function nextRetryIn(desired: Subscriptions['desired'], placed: Placed, now: number): number {
  const scopes: ReadonlyMap<string, unknown> = desired.scopes()
  const isDesired = (key: string): boolean => desired.addresses().has(key) || scopes.has(key)
  let earliest = Infinity
  for (const [key, refusal] of placed.refused)
    if (isDesired(key)) earliest = Math.min(earliest, retryDelay(refusal, now))
  return earliest
}

/** Ms from `now` until a retry. A delay above the maximum means that the clock was set back. */
function retryDelay(refusal: Refusal | undefined, now: number): number {
  const delay = (refusal?.retryAt ?? -Infinity) - now
  return delay > DEFAULT_RETRIES.maxDelay ? 0 : Math.max(0, delay)
}

const keysOf = (scope: NotificationScope): readonly string[] =>
  scope.type === 'utxos-changed' ? scope.addresses : [scope.type]

function isSameScope(desired: NotificationScope, placed: NotificationScope | undefined): boolean {
  if (desired.type !== 'virtual-chain-changed') return placed !== undefined
  return placed?.type === desired.type && placed.includeAcceptedTransactionIds === desired.includeAcceptedTransactionIds
}

/** The first values that pass, up to the maximum of one request. */
function take(values: Iterable<string>, passes: (value: string) => boolean): string[] {
  const taken: string[] = []
  for (const value of values) {
    if (passes(value)) taken.push(value)
    if (taken.length === MAX_ADDRESSES) break
  }
  return taken
}

function without<Key, Value>(map: ReadonlyMap<Key, Value>, keys: readonly Key[]): ReadonlyMap<Key, Value> {
  if (map.size === 0) return map
  const remaining = new Map(map)
  for (const key of keys) remaining.delete(key)
  return remaining
}
