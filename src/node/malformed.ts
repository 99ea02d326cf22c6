import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { RpcMethod } from './messages/records.js'

/** The error of a response that contradicts itself or the request. */
export const malformed = (method: RpcMethod, fault: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`The response is inconsistent: ${fault}`), { code: 'malformed' })
