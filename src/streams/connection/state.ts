import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { ChainNetwork, RpcEncoding } from '../../model/network.js'
import { redact } from '../../errors/redact.js'
import type { EndpointMemory, Candidate, Target } from './endpoints.js'

/**
 * - `disconnected`: not requested yet, or `disconnect()` was called.
 * - `connecting`: a requested dial or a retry of it. `connected`: the handshake is done.
 * - `reconnecting`: an established connection was dropped and is retried.
 * - `error`: no further retries. `reconnect()`, `connect()` and a returning network start again.
 */
export type RpcConnectionState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'error'

/** The public state of a connection, with the requested network and encoding. */
export type ConnectionState =
  | {
      readonly status: 'disconnected'
      readonly network: ChainNetwork
      readonly encoding: RpcEncoding
      readonly url: null
      readonly attempt: 0
      readonly nextRetryAt: null
      readonly error: null
    }
  | {
      readonly status: 'connecting' | 'reconnecting'
      readonly network: ChainNetwork
      readonly encoding: RpcEncoding
      /** The dialled URL; null between attempts and until the resolver has responded. */
      readonly url: string | null
      /** 0 for the first dial, then the number of the current or next retry. */
      readonly attempt: number
      /** Unix ms of the next attempt; null during an attempt, and while there is no network. */
      readonly nextRetryAt: number | null
      /** Why the last attempt failed; null before the first failure. */
      readonly error: ChainRpcError | null
    }
  | {
      readonly status: 'connected'
      readonly network: ChainNetwork
      readonly encoding: RpcEncoding
      readonly url: string
      readonly attempt: 0
      readonly nextRetryAt: null
      readonly error: null
    }
  | {
      readonly status: 'error'
      readonly network: ChainNetwork
      readonly encoding: RpcEncoding
      readonly url: null
      /** The number of retries made. */
      readonly attempt: number
      readonly nextRetryAt: null
      /** Why the last attempt failed. */
      readonly error: ChainRpcError
    }

/** Whether two public states are equal. */
export const isSameState = (a: ConnectionState, b: ConnectionState): boolean =>
  a.status === b.status &&
  a.url === b.url &&
  a.attempt === b.attempt &&
  a.nextRetryAt === b.nextRetryAt &&
  a.error === b.error &&
  a.network === b.network &&
  a.encoding === b.encoding

/** The public state of a connection. */
export function toConnectionState(state: Connection<unknown>): ConnectionState {
  const { network, encoding } = state.target
  const requested = { network, encoding, url: null, nextRetryAt: null } as const
  switch (state.status) {
    case 'disconnected':
      return { ...requested, status: state.status, attempt: 0, error: null }
    case 'connected':
      return { ...requested, status: state.status, url: redact(state.url), attempt: 0, error: null }
    case 'error':
      return { ...requested, status: state.status, attempt: state.attempt, error: state.error }
    case 'connecting':
    case 'reconnecting': {
      const { status, attempt, error } = state
      return state.step === 'dialling'
        ? { ...requested, status, attempt, error, url: state.url === null ? null : redact(state.url) }
        : { ...requested, status, attempt, error, nextRetryAt: state.retryAt }
    }
  }
}

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
