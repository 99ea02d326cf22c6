import type { ChainNetwork } from '../../model/network.js'
import type { Outpoint } from '../../model/utxo.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { SdkPort } from '../../sdk/port.js'

/** What building and submitting transactions needs of the world around it. */
export interface TransactionDependencies {
  /** The network that payments are made on. */
  readonly network: () => ChainNetwork
  /** Asks the node once. Rejects with `ChainRpcError` as a `NodeConnection` does, and `not-connected` without a connection. */
  readonly call: RpcCall
  /** The SDK; throws `ChainNotReadyError` that names the operation which asks. Only signing asks. */
  readonly sdk: (operation: string) => SdkPort
  readonly reservations: Reservations
  /** Resolves once there is a connection; rejects where none comes within `patience` ms, or none is to be expected. */
  readonly whenConnected: (patience: number) => Promise<void>
  /** Resolves after so many ms. */
  readonly pause: (ms: number) => Promise<void>
}

export type RpcCall = <M extends RpcMethod>(method: M, request: RpcRequest<M>) => Promise<RpcResponse<M>>

/** The coins that payments under way have taken, so that the next payment picks others. */
export interface Reservations {
  isReserved(outpoint: Outpoint): boolean
  /** Takes coins until they are released, confirmed as spent, or the reservation lapses. */
  reserve(outpoints: readonly Outpoint[]): Release
}

export type Release = () => void
