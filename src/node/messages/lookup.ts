import type { MethodEntry } from './shape.js'
import { blockMethods } from './block-methods.js'
import { nodeMethods } from './node-methods.js'
import { utxoMethods } from './utxo-methods.js'
import { notifications, type NotificationEntry } from './notifications.js'
import type { NotificationType, RpcMethod } from './records.js'

/** Every method of the node, by wire name. */
export const methods = /*#__PURE__*/ Object.assign({}, nodeMethods, blockMethods, utxoMethods)

/** Lookups of the table by wire name and code. */

/** Operations of the protocol that no node serves over wRPC. The response is "RPC method not found". */
const UNSERVED: Readonly<Record<string, number>> = {
  noOp: 0,
  connect: 1,
  disconnect: 2,
  notifyBlockAdded: 10,
  notifyNewBlockTemplate: 11,
  notifyUtxosChanged: 12,
  notifyPruningPointUtxoSetOverride: 13,
  notifyFinalityConflict: 14,
  notifyFinalityConflictResolved: 15,
  notifyVirtualDaaScoreChanged: 16,
  notifyVirtualChainChanged: 17,
  notifySinkBlueScoreChanged: 18,
}

/** Whether the table has a method of that name. */
export const isRpcMethod = (name: unknown): name is RpcMethod =>
  typeof name === 'string' && Object.hasOwn(methods, name)

/** The table's entry of a method, as any entry. */
export const methodEntry = (method: RpcMethod): MethodEntry => methods[method]

/** The table's entry of a notification, as any entry. */
export const notificationEntry = (type: NotificationType): NotificationEntry => notifications[type]

/** A notification's wire name: `blockAddedNotification`. */
export function notificationOp(type: NotificationType): string {
  const { name } = notificationEntry(type)
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}Notification`
}

/** Every method by its code. */
export function methodsByOp(): ReadonlyMap<number, RpcMethod> {
  return new Map(Object.keys(methods).flatMap((name) => (isRpcMethod(name) ? [[methods[name].op, name]] : [])))
}

/** Every notification by wire name, by variant and by code. No two keys are equal. */
export function notificationsByKey(): ReadonlyMap<string | number, NotificationType> {
  const byKey = new Map<string | number, NotificationType>()
  for (const type of notificationTypes()) {
    const { name, variant, op } = notifications[type]
    byKey.set(name, type).set(variant, type).set(op, type)
  }
  return byKey
}

/** The operations that get "RPC method not found", by code. Includes the notifications. */
export function unservedByOp(): ReadonlyMap<number, string> {
  const named = Object.entries(UNSERVED).map(([name, op]) => [op, name] as const)
  return new Map([
    ...named,
    ...notificationTypes().map((type) => [notifications[type].op, notificationOp(type)] as const),
  ])
}

const notificationTypes = (): NotificationType[] => Object.keys(notifications) as NotificationType[]
