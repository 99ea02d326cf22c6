import { filter, map, pairwise, type Observable } from 'rxjs'
import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import type { RpcEvent, RpcEventType } from '../../model/event.js'
import type { NodeNotification, NotificationScope, RpcEventMap } from '../../node/messages/records.js'
import type { Connection } from '../connection/phases.js'
import { PLAIN_SCOPES } from '../plain-scopes.js'

/** An event of one type, in its envelope. */
export type EventOf<Type extends RpcEventType> = RpcEvent<RpcEventMap[Type]> & { readonly type: Type }

/** Any event: the notifications of the node, and the connection's own coming and going. */
export type ChainEvent = { [Type in RpcEventType]: EventOf<Type> }[RpcEventType]

export const isOfType =
  <Type extends RpcEventType>(type: Type) =>
  (event: ChainEvent): event is Extract<ChainEvent, EventOf<Type>> =>
    event.type === type

/** A notification in its envelope: one object, shared by all who hear it. */
export const toEvent = ({ type, data }: NodeNotification, timestamp: number): ChainEvent =>
  ({ type, data, timestamp }) as ChainEvent // what belongs together stays together; a spread costs twice as much as reading the frame

/** The coming and going of connections, from the states they leave behind. */
export function connectionEvents$(state$: Observable<Connection<unknown>>, now: () => number): Observable<ChainEvent> {
  return state$.pipe(
    pairwise(),
    map(([before, after]): ChainEvent | null => {
      if (before.status === after.status) return null // the same connection, of whose node something became known
      if (after.status === 'connected') return { type: 'connect', data: { url: after.url }, timestamp: now() }
      if (before.status !== 'connected') return null
      return { type: 'disconnect', data: { url: before.url, reason: toReason(after) }, timestamp: now() }
    }),
    filter((event) => event !== null),
  )
}

/** Why a connection was left for `after`, in words. */
function toReason(after: Connection<unknown>): string {
  switch (after.status) {
    case 'disconnected':
      return 'disconnect() was called'
    case 'connecting':
      return 'another connection was asked for'
    default:
      return 'error' in after && after.error?.cause instanceof Error ? after.error.cause.message : 'lost'
  }
}

/**
 * What to ask of the node so that events of `type` come; null where nothing is to be asked, or nothing by the type alone.
 * Throws `ChainError` (`invalid-argument`) for what is no event: nobody would ever hear of it.
 */
export function toScope(type: RpcEventType): NotificationScope | null {
  const plain: readonly string[] = Object.values(PLAIN_SCOPES)
  switch (type) {
    case 'connect':
    case 'disconnect':
    case 'utxos-changed': // comes for the addresses that someone tracks
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
    `Give one of connect, disconnect, utxos-changed, virtual-chain-changed, ${[...new Set(plain)].join(', ')}.`,
  )
