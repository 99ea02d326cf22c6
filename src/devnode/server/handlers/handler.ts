import type { NotificationScope, RpcMethod, RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import type { RpcResult } from '../../ledger/ledger.js'
import type { LiveLedger } from '../../live-ledger.js'
import type { Machine, Identity } from '../../machine.js'

/** What a handler reads. */
export interface CallContext {
  readonly live: LiveLedger
  readonly identity: Identity
  readonly machine: Machine
  readonly caller: Caller
  readonly traffic: () => TrafficByEncoding
}

/** The calling connection. */
export interface Caller {
  /** Its number, counted since the start of its server. */
  readonly id: bigint
  subscribe(scope: NotificationScope): void
  unsubscribe(scope: NotificationScope): void
}

/** The traffic of the node's servers. */
export interface TrafficByEncoding {
  readonly borsh: Traffic
  readonly json: Traffic
}

export interface Traffic {
  readonly live: number
  readonly attempts: number
  /** Failed handshakes. */
  readonly failures: number
  readonly bytesSent: number
  readonly bytesReceived: number
}

export type Handler<M extends RpcMethod> = (request: RpcRequest<M>, context: CallContext) => RpcResult<RpcResponse<M>>

/** Each method's handler; `unserved` fails with "RPC method not found". */
export type Handlers = { readonly [M in RpcMethod]: Handler<M> | 'unserved' }

export const ok = <T>(value: T): RpcResult<T> => ({ ok: true, value })

export const refuse = (message: string): RpcResult<never> => ({ ok: false, message })
