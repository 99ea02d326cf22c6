import type { ChainEngine } from '../engine/engine.js'
import { ChainError } from '../errors/chain-error.js'
import { decodeCursor } from '../model/chain-cursor/cursor.js'
import { encodeCursor } from '../model/chain-cursor/encode-cursor.js'
import { isHex } from '../model/hex.js'
import type { ChainNetwork } from '../model/network.js'

/** The cursor from which addresses count, or why they cannot count from there. */
export type ResolveSince = (
  since: string | undefined,
) => Promise<{ readonly cursor: string | undefined } | { readonly reason: string }>

/**
 * How long, in ms, one attempt may wait for a node that is behind: the node that the feed follows is not left because
 * of it.
 */
const ATTEMPT = 8_000
/** How long all attempts may take by default, in ms: as long as those of `followChain`. */
const TIMEOUT = 600_000

/**
 * Accepts a cursor, the hash of a chain block, or `pruning-point`, the oldest block of the node. What the node cannot
 * serve is refused: the pass over the chain would end there, and the feed with it.
 */
export const createResolveSince =
  (
    followChain: ChainEngine['followChain'],
    network: ChainNetwork,
    { signal, timeout = TIMEOUT }: { readonly signal: AbortSignal; readonly timeout?: number | undefined },
  ): ResolveSince =>
  async (since) => {
    if (since === undefined) return { cursor: undefined }
    const isBlock = since === 'pruning-point' || isHex(since, 32)
    const start = isBlock ? { from: since } : { cursor: since }
    for (let left = timeout; ; left -= ATTEMPT) {
      const nodeBehindTimeout = Math.min(left, ATTEMPT)
      const batches = followChain({ ...start, detail: 'ids', maxBlocks: 1, nodeBehindTimeout, signal })
      try {
        const { value } = await batches.next()
        if (value === undefined) return { reason: 'the engine was disposed of' }
        return { cursor: isBlock ? startOf(value.cursor, value.blocks.length, network) : since }
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        if (error.code === 'node-behind' && left > ATTEMPT) continue
        if (REFUSED.has(String(error.code))) return { reason: error.message }
        throw error
      } finally {
        await batches.return?.()
      }
    }
  }

/** Codes of what is wrong with the start alone. */
const REFUSED = /*#__PURE__*/ new Set(['invalid-argument', 'history-gap', 'node-behind'])

/** The cursor of the block before the first one that followed it. Its blue work is not known: any chain is heavier. */
function startOf(cursor: string, followed: number, network: ChainNetwork): string {
  const { tip, below } = decodeCursor(cursor, network)
  const start = followed === 0 ? tip : (below[0] ?? tip)
  return encodeCursor({ tip: { ...start, blueWork: '00' }, below: [] }, network)
}
