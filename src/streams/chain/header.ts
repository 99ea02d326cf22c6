import type { ChainTip } from '../../model/chain-cursor/locator.js'
import { malformed } from '../../node/port.js'
import type { RpcAcceptingBlock, RpcBlock, RpcMethod } from '../../node/messages/records.js'
import type { FollowScope } from './scope.js'

/** A chain block's header, as far as a position needs it. */
export interface ChainHeader extends ChainTip {
  readonly daaScore: bigint
  /** Unix milliseconds. */
  readonly timestamp: number
}

/**
 * The header of a block, and its verbose data; also of a block that has left the chain. Rejects with `ChainRpcError`.
 */
export async function readBlock(
  { call }: Pick<FollowScope, 'call'>,
  hash: string,
): Promise<ChainHeader & { readonly verboseData: NonNullable<RpcBlock['verboseData']> }> {
  const { block } = await call('getBlock', { hash, includeTransactions: false })
  const { verboseData } = block
  if (block.header.hash !== hash || verboseData === undefined) throw malformed('getBlock', 'another block was returned')
  return { ...toHeader('getBlock', block.header), verboseData }
}

type HeaderRecord = Pick<RpcAcceptingBlock['chainBlockHeader'], keyof ChainHeader>

/**
 * A header of a response, whose numbers were read within their ranges. Throws `ChainRpcError` (`malformed`) for an
 * incomplete one.
 */
export function toHeader(
  method: RpcMethod,
  { hash, blueScore, blueWork, daaScore, timestamp }: HeaderRecord,
): ChainHeader {
  if (
    hash === undefined ||
    blueScore === undefined ||
    blueWork === undefined ||
    daaScore === undefined ||
    timestamp === undefined
  )
    throw malformed(method, 'a header is incomplete')
  return { hash, blueScore, blueWork, daaScore, timestamp: Number(timestamp) }
}

/** The newest block of the node's chain. */
export const readSink = async (scope: Pick<FollowScope, 'call'>): Promise<ChainHeader> =>
  readBlock(scope, (await scope.call('getSink', {})).sink)
