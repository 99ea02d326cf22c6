import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Outpoint } from '../../model/utxo.js'
import type { SdkPort } from '../../sdk/port.js'
import type { Call } from '../queries/call.js'

/** What building and submitting transactions needs of the world around it. */
export interface TransactionDependencies {
  /** The network that payments are made on. */
  readonly network: () => ChainNetwork
  /** Asks the node once. Rejects with `ChainRpcError` as a `NodeConnection` does, and `not-connected` without a connection. */
  readonly call: Call
  /** The SDK; throws `ChainNotReadyError` that names the operation which asks. Only signing asks. */
  readonly sdk: (operation: string) => SdkPort
  readonly reservations: Reservations
  /** Resolves once there is a connection; rejects where none comes within `patience` ms, or none is to be expected. */
  readonly whenConnected: (patience: number) => Promise<void>
  /** Tells whoever follows transactions that the node has refused one, for the reason that the error names. */
  readonly rejected: (transactionId: string, error: ChainRpcError) => void
  /** Tells whoever follows transactions that the node has taken `by` in the place of `transactionId`. */
  readonly replaced: (transactionId: string, by: string) => void
  /** Resolves after so many ms, or at once when there is nothing more to wait for: the engine has ended. */
  readonly pause: (ms: number) => Promise<void>
}

/** The coins that payments under way have taken, so that the next payment picks others. */
export interface Reservations {
  isReserved(outpoint: Outpoint): boolean
  /** Takes coins until they are released, confirmed as spent, or the reservation lapses; a coin may be held twice. */
  reserve(outpoints: readonly Outpoint[]): Release
}

export type Release = () => void
