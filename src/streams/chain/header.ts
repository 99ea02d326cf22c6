import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import type { ChainTip } from '../../model/chain-cursor/locator.js'
import type { RpcAcceptingBlock, RpcBlock, RpcMethod } from '../../node/messages/records.js'
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
  return { ...toHeader('getBlock', block.header), verboseData }
}

/** Blue and DAA scores are stored as signed integers of 64 bits. */
const MAX_SCORE = 2n ** 63n - 1n

/** The last ms of the year 9999: databases read no later time in ISO 8601. */
const MAX_TIME = 253_402_300_799_999n

/** 192 bits. */
const BLUE_WORK = /^[0-9a-f]{1,48}$/

type HeaderRecord = Pick<RpcAcceptingBlock['chainBlockHeader'], keyof ChainHeader>

/** A header of a response. Throws `ChainRpcError` (`malformed`) for an incomplete one, or one that cannot be. */
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
  if (!isScore(blueScore) || !isScore(daaScore)) throw malformed(method, 'a score is out of range')
  if (timestamp < 0n || timestamp > MAX_TIME) throw malformed(method, 'a time is out of range')
  if (!BLUE_WORK.test(blueWork)) throw malformed(method, 'a blue work is out of range')
  return { hash, blueScore, blueWork, daaScore, timestamp: Number(timestamp) }
}

const isScore = (score: bigint): boolean => score >= 0n && score <= MAX_SCORE

/** The newest block of the node's chain. */
export const readSink = async (scope: Pick<FollowScope, 'call'>): Promise<ChainHeader> =>
  readBlock(scope, (await scope.call('getSink', {})).sink)

/** The error of a response that contradicts itself or the request. */
export const malformed = (method: RpcMethod, fault: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError(`The response is inconsistent: ${fault}`), { code: 'malformed' })
