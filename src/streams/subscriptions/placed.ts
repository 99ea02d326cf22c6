import type { ChainError } from '../../errors/chain-error.js'
import type { NotificationScope, NotificationType } from '../../node/messages/records.js'

/** A subscription that the node, or we in its place, would not have. */
export interface Refusal {
  readonly error: ChainError
  readonly tries: number
  /** Unix ms from which it may be tried again. */
  readonly retryAt: number
}

/** What one connection is subscribed to, and what it refused. Refusals stand under the address, or under the type. */
export interface Placed {
  readonly scopes: ReadonlyMap<NotificationType, NotificationScope>
  readonly addresses: ReadonlySet<string>
  readonly refused: ReadonlyMap<string, Refusal>
}

/** A new connection: subscriptions do not outlive the one they were placed on. */
export const NOTHING_PLACED: Placed = {
  scopes: /*#__PURE__*/ new Map(),
  addresses: /*#__PURE__*/ new Set(),
  refused: /*#__PURE__*/ new Map(),
}
