import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { EndpointMemory } from './endpoint-memory.js'
import type { Candidate, Target } from './target.js'

/** What is known in every state. */
export interface Base {
  readonly target: Target
  /** The number of the wish that is being fulfilled: waiting promises hang on it. */
  readonly request: number
  /** The number of the last dial. One number, one socket. */
  readonly dial: number
  readonly memory: EndpointMemory
}

/** A socket is being opened, or its handshake is under way. */
export interface Dialling extends Base {
  readonly status: 'connecting' | 'reconnecting'
  readonly step: 'dialling'
  readonly attempt: number
  readonly candidate: Candidate
  /** Null while a resolver is being asked. */
  readonly url: string | null
  readonly error: ChainRpcError | null
}

/** Between two attempts. */
export interface Waiting extends Base {
  readonly status: 'connecting' | 'reconnecting'
  readonly step: 'waiting'
  /** The attempt that is waited for. */
  readonly attempt: number
  /** Unix ms; null while there is no network. */
  readonly retryAt: number | null
  readonly error: ChainRpcError
}

/** The handshake is done. `session` is what it brought; it is carried here and never looked at. */
export interface Connected<Session> extends Base {
  readonly status: 'connected'
  readonly candidate: Candidate
  readonly url: string
  readonly session: Session
}

export type Connection<Session> =
  | (Base & { readonly status: 'disconnected' })
  | Dialling
  | Waiting
  | Connected<Session>
  | (Base & { readonly status: 'error'; readonly attempt: number; readonly error: ChainRpcError })

/** What a dial's end needs besides its reason, from the world outside the reducer. */
export interface Circumstances {
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
  | ({ readonly type: 'ended' | 'refused'; readonly dial: number; readonly error: ChainRpcError } & Circumstances)
  | { readonly type: 'faulted'; readonly dial: number; readonly at: number }
  | { readonly type: 'retryDue'; readonly dial: number }
  | { readonly type: 'networkReturned' }
  | { readonly type: 'networkLost' }
