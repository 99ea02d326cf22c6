import { filter, map, pairwise, type Observable } from 'rxjs'
import { redact } from '../../errors/redact.js'
import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import type { RpcEvent, RpcEventType } from '../../model/event.js'
import type { NodeNotification, NotificationScope, RpcEventMap } from '../../node/messages/records.js'
import type { Connection } from '../connection/state.js'

/** An event of one type, in its envelope. */
type EventOf<Type extends RpcEventType> = RpcEvent<RpcEventMap[Type]> & { readonly type: Type }

/** Any event: the node's notifications, and connects and disconnects. */
export type ChainEvent = { [Type in RpcEventType]: EventOf<Type> }[RpcEventType]

export const isOfType =
  <Type extends RpcEventType>(type: Type) =>
  (event: ChainEvent): event is Extract<ChainEvent, EventOf<Type>> =>
    event.type === type

/** Wraps a notification; all subscribers share the object. */
export const toEvent = ({ type, data }: NodeNotification, timestamp: number): ChainEvent =>
  ({ type, data, timestamp }) as ChainEvent // no spread: it would cost twice as much as decoding the frame

/** Connect and disconnect events, from the connection's states. */
export function connectionEvents$(state$: Observable<Connection<unknown>>, now: () => number): Observable<ChainEvent> {
  return state$.pipe(
    pairwise(),
    map(([before, after]): ChainEvent | null => {
      if (before.status === after.status) return null // the same connection
      if (after.status === 'connected') return { type: 'connect', data: { url: redact(after.url) }, timestamp: now() }
      if (before.status !== 'connected') return null
      return {
        type: 'disconnect',
        data: { url: redact(before.url), reason: toReason(after) },
        timestamp: now(),
      }
    }),
    filter((event) => event !== null),
  )
}

/** The reason of a disconnect, from the state after it. */
function toReason(after: Connection<unknown>): string {
  switch (after.status) {
    case 'disconnected':
      return 'disconnect() was called'
    case 'connecting':
      return 'another connection was requested'
    default:
      return 'error' in after && after.error?.cause instanceof Error ? after.error.cause.message : 'lost'
  }
}

/**
 * The subscription scope of an event type; null if it needs none, or if the type alone does not determine it.
 * Throws `ChainError` (`invalid-argument`) for an unknown type.
 */
export function toScope(type: RpcEventType): NotificationScope | null {
  const plain: readonly string[] = Object.values(PLAIN_SCOPES)
  switch (type) {
    case 'connect':
    case 'disconnect':
    case 'utxos-changed': // emitted for tracked addresses
      return null
    case 'virtual-chain-changed':
      return { type, includeAcceptedTransactionIds: true }
    default:
      if (!plain.includes(type)) throw noEvent(type, plain)
      return { type }
  }
}

const noEvent = (type: string, plain: readonly string[]): ChainError =>
  invalidArgument(
    'type',
    `There is no event "${type}"`,
    `Set type to one of connect, disconnect, utxos-changed, virtual-chain-changed, ${[...new Set(plain)].join(', ')}.`,
  )

/** Scopes without parameters, by the suffix of their subscription methods. */
export const PLAIN_SCOPES = {
  BlockAdded: 'block-added',
  FinalityConflict: 'finality-conflict',
  FinalityConflictResolved: 'finality-conflict-resolved',
  SinkBlueScoreChanged: 'sink-blue-score-changed',
  VirtualDaaScoreChanged: 'virtual-daa-score-changed',
  DaaScore: 'virtual-daa-score-changed',
  PruningPointUtxoSetOverride: 'pruning-point-utxo-set-override',
  NewBlockTemplate: 'new-block-template',
} as const

export type PlainScopeName = keyof typeof PLAIN_SCOPES
