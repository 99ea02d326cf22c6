import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'

/** What a failed call means to whoever asked: one of our errors stays what it is. */
export const toRpcError = (method: string, cause: unknown): ChainError =>
  isChainError(cause) ? cause : new ChainRpcError(method, cause)

const isChainError = (cause: unknown): cause is ChainError => cause instanceof ChainError
