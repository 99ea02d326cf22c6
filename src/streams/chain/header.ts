import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { ChainTip } from '../../model/chain-cursor/locator.js'
import type { RpcBlock, RpcMethod } from '../../node/messages/records.js'
import type { FollowScope } from './scope.js'

/** A chain block's header, as far as a position needs it. */
export interface ChainHeader extends ChainTip {
  readonly daaScore: bigint
  /** Unix milliseconds. */
  readonly timestamp: number
}

/** The header of a block, and its verbose data; also of a block that has left the chain. Rejects with `ChainRpcError`. */
export async function readBlock(
  { call }: Pick<FollowScope, 'call'>,
  hash: string,
): Promise<ChainHeader & { readonly verboseData: NonNullable<RpcBlock['verboseData']> }> {
  const { block } = await call('getBlock', { hash, includeTransactions: false })
  const { verboseData } = block
  if (block.header.hash !== hash || verboseData === undefined) throw malformed('getBlock', 'another block was returned')
  return { ...toHeader(block), verboseData }
}

export const toHeader = ({ header }: RpcBlock): ChainHeader => ({
  hash: header.hash,
  blueScore: header.blueScore,
  blueWork: header.blueWork,
  daaScore: header.daaScore,
  timestamp: Number(header.timestamp),
})

/** The newest block of the node's chain. */
export const readSink = async (scope: Pick<FollowScope, 'call'>): Promise<ChainHeader> =>
  readBlock(scope, (await scope.call('getSink', {})).sink)

/** The error of a response that contradicts itself or the request. */
export const malformed = (method: RpcMethod, fault: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`The response is inconsistent: ${fault}`), { code: 'malformed' })
