import type { ChainError } from '../../errors/chain-error.js'
import type { NotificationScope, NotificationType } from '../../node/messages/records.js'

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
