import type { NotificationScope, RpcMethod, RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import type { Answer } from '../../ledger/ledger.js'
import type { LiveLedger } from '../../live-ledger.js'
import type { Identity } from '../identity.js'

/** What a method is answered from. */
export interface CallContext {
  readonly live: LiveLedger
  readonly identity: Identity
  readonly caller: Caller
  readonly census: () => Census
}

/** The connection that asks. */
export interface Caller {
  /** Its number, counted from the start of its server. */
  readonly id: bigint
  subscribe(scope: NotificationScope): void
  unsubscribe(scope: NotificationScope): void
}

/** The traffic of the node's servers. */
export interface Census {
  readonly borsh: Traffic
  readonly json: Traffic
}

export interface Traffic {
  readonly live: number
  readonly attempts: number
  /** Handshakes that came to nothing. */
  readonly failures: number
  readonly bytesSent: number
  readonly bytesReceived: number
}

export type Handler<M extends RpcMethod> = (request: RpcRequest<M>, context: CallContext) => Answer<RpcResponse<M>>

/** Each method's handler; `unserved` is answered with "RPC method not found". */
export type Handlers = { readonly [M in RpcMethod]: Handler<M> | 'unserved' }

export const answer = <T>(value: T): Answer<T> => ({ ok: true, value })

export const refuse = (message: string): Answer<never> => ({ ok: false, message })
