import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { EndpointMemory } from './endpoint-memory.js'
import type { Candidate, Target } from './target.js'

/** The fields of every state. */
export interface ConnectionBase {
  readonly target: Target
  /** The number of the latest connect request; its promise settles by it. */
  readonly request: number
  /** The number of the latest dial. Each dial has one socket. */
  readonly dial: number
  readonly memory: EndpointMemory
}

/** A socket is opening or its handshake is in progress. */
export interface Dialling extends ConnectionBase {
  readonly status: 'connecting' | 'reconnecting'
  readonly step: 'dialling'
  readonly attempt: number
  readonly candidate: Candidate
  /** Null until the resolver has responded. */
  readonly url: string | null
  readonly error: ChainRpcError | null
}

/** Between two attempts. */
export interface Waiting extends ConnectionBase {
  readonly status: 'connecting' | 'reconnecting'
  readonly step: 'waiting'
  /** The number of the next attempt. */
  readonly attempt: number
  /** Unix ms; null while there is no network. */
  readonly retryAt: number | null
  readonly error: ChainRpcError
}

/** The handshake is done. `session` is its opaque result. */
export interface Connected<Session> extends ConnectionBase {
  readonly status: 'connected'
  readonly candidate: Candidate
  readonly url: string
  readonly session: Session
}

export type Connection<Session> =
  | (ConnectionBase & { readonly status: 'disconnected' })
  | Dialling
  | Waiting
  | Connected<Session>
  | (ConnectionBase & { readonly status: 'error'; readonly attempt: number; readonly error: ChainRpcError })

/** Inputs of a dial's end from outside the reducer. */
export interface EventContext {
  /** Unix ms. */
  readonly at: number
  /** In [0, 1). */
  readonly random: number
  readonly network: 'up' | 'down'
}

export type ConnectionEvent<Session> =
  | { readonly type: 'connectRequested'; readonly target: Target }
  | { readonly type: 'reconnectRequested' }
  | { readonly type: 'retargeted'; readonly target: Target }
  | { readonly type: 'disconnectRequested' }
  | { readonly type: 'resolved'; readonly dial: number; readonly url: string }
  | { readonly type: 'opened'; readonly dial: number; readonly url: string; readonly session: Session }
  | ({ readonly type: 'ended' | 'refused'; readonly dial: number; readonly error: ChainRpcError } & EventContext)
  | { readonly type: 'faulted'; readonly dial: number; readonly at: number }
  | { readonly type: 'retryDue'; readonly dial: number }
  | { readonly type: 'wentOnline' }
  | { readonly type: 'wentOffline' }
