import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'

/** The error of a failed call; a `ChainError` is returned unchanged. */
export const toRpcError = (method: string, cause: unknown): ChainError =>
  isChainError(cause) ? cause : new ChainRpcError(method, cause)

const isChainError = (cause: unknown): cause is ChainError => cause instanceof ChainError
