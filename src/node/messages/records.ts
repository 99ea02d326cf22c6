import type { NotificationMap, RpcRequestMap, RpcResponseMap } from './wire-records.js'

export type * from './wire-records.js'

/** A method of the node, by wire name. */
export type RpcMethod = keyof RpcRequestMap
export type RpcRequest<M extends RpcMethod> = RpcRequestMap[M]
export type RpcResponse<M extends RpcMethod> = RpcResponseMap[M]

/** A kind of notification. */
export type NotificationType = keyof NotificationMap
export type NotificationData<T extends NotificationType> = NotificationMap[T]
export type NodeNotification = {
  [T in NotificationType]: { readonly type: T; readonly data: NotificationData<T> }
}[NotificationType]

/** The scope of a subscription: the event type and its parameters. */
export type NotificationScope = RpcRequest<'subscribe'>['scope']

/** The data of each event of a connection. */
export type RpcEventMap = { [T in NotificationType]: NotificationData<T> } & {
  readonly connect: { readonly url: string }
  readonly disconnect: { readonly url: string; readonly reason: string }
}

export type BlockDagInfo = RpcResponse<'getBlockDagInfo'>
export type VirtualChainResult = RpcResponse<'getVirtualChainFromBlock'>
export type VirtualChainV2Result = RpcResponse<'getVirtualChainFromBlockV2'>

/** A peer's address; the port is optional. */
export interface PeerAddress {
  readonly ip: string
  readonly port?: number
}
