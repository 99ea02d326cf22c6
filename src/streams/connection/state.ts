import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { ChainNetwork, RpcEncoding } from '../../model/network.js'

/**
 * - `disconnected`: nobody asked for a connection, or it was ended on purpose.
 * - `connecting`: a dial that someone asked for, or a retry of it. `connected`: the handshake is done.
 * - `reconnecting`: an established connection was lost; it is being made again.
 * - `error`: given up. `reconnect()`, `connect()` and the network's return lead out of it.
 */
export type RpcConnectionState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'error'

/** What is sought, in every state: the network, and how to speak to its node. */
interface Sought {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
}

export interface Disconnected extends Sought {
  readonly status: 'disconnected'
  readonly url: null
  readonly attempt: 0
  readonly nextRetryAt: null
  readonly error: null
}

export interface Dialling extends Sought {
  readonly status: 'connecting' | 'reconnecting'
  /** The endpoint being dialled; null between two attempts and while a resolver is asked for one. */
  readonly url: string | null
  /** 0 for the dial that was asked for, then the number of the retry under way or waited for. */
  readonly attempt: number
  /** Unix milliseconds of the next attempt; null while one is under way, and while waiting for the network's return. */
  readonly nextRetryAt: number | null
  /** Why the last attempt failed; null before the first failure. */
  readonly error: ChainRpcError | null
}

export interface Connected extends Sought {
  readonly status: 'connected'
  readonly url: string
  readonly attempt: 0
  readonly nextRetryAt: null
  readonly error: null
}

export interface Failed extends Sought {
  readonly status: 'error'
  readonly url: null
  /** How many retries were made. */
  readonly attempt: number
  readonly nextRetryAt: null
  /** Why the last attempt failed. */
  readonly error: ChainRpcError
}

/** The connection as everybody may see it. */
export type ConnectionState = Disconnected | Dialling | Connected | Failed
