import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { ChainNetwork, RpcEncoding } from '../../model/network.js'

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
