import type { block, header, rawBlock, rawHeader } from './blocks.js'
import type { methods } from './methods.js'
import type { notifications } from './notifications.js'
import type { peerAddress, peerInfo } from './node-info.js'
import type { ValueOf } from './shape.js'
import type { mempoolEntry, transaction, transactionInput, transactionOutput } from './transactions.js'
import type { acceptedByChainBlock, verbosity } from './virtual-chain.js'

/** The wire records, as types derived from the table. u64 is `bigint`, an absent option `undefined`. */

/** A method of the node, by wire name. */
export type RpcMethod = keyof typeof methods
export type RpcRequest<M extends RpcMethod> = ValueOf<(typeof methods)[M]['request']>
export type RpcResponse<M extends RpcMethod> = ValueOf<(typeof methods)[M]['response']>

/** A kind of notification. */
export type NotificationType = keyof typeof notifications
export type NotificationData<T extends NotificationType> = ValueOf<(typeof notifications)[T]['data']>
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

export type RpcHeader = ValueOf<typeof header>
export type RpcBlock = ValueOf<typeof block>
/** A header without its hash, and a block without verbose data, as mined and submitted. */
export type RpcRawHeader = ValueOf<typeof rawHeader>
export type RpcRawBlock = ValueOf<typeof rawBlock>
export type RpcTransaction = ValueOf<typeof transaction>
export type RpcTransactionInput = ValueOf<typeof transactionInput>
export type RpcTransactionOutput = ValueOf<typeof transactionOutput>
export type RpcMempoolEntry = ValueOf<typeof mempoolEntry>

export type BlockDagInfo = RpcResponse<'getBlockDagInfo'>
export type VirtualChainResult = RpcResponse<'getVirtualChainFromBlock'>
export type VirtualChainV2Result = RpcResponse<'getVirtualChainFromBlockV2'>
/** A chain block of `getVirtualChainFromBlockV2` with its accepted transactions. */
export type RpcAcceptingBlock = ValueOf<typeof acceptedByChainBlock>
/** The verbosity of `getVirtualChainFromBlockV2`. */
export type DataVerbosity = ValueOf<typeof verbosity>
export type ConnectedPeerInfo = ValueOf<typeof peerInfo>
/** A peer's address; the port is optional. */
export type PeerAddress = Pick<ValueOf<typeof peerAddress>, 'ip'> & Partial<ValueOf<typeof peerAddress>>
