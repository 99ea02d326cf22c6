import { ChainError } from '../../errors/chain-error.js'
import { MAX_CHAIN_BLOCKS, type Chain } from './chain.js'
import type { Gap } from './change.js'

/** A gap between the last block known before it and the first block of the chain after it. */
export const toGap = (from: string | undefined, after: Chain, cause: ChainError, timestamp: number): Gap => ({
  stream: 'accepted-transactions',
  from: from ?? null,
  to: after[0]?.hash ?? null,
  cause,
  timestamp,
})

/** Whether two gaps are between the same blocks. */
export const isSameGap = (a: Gap, b: Gap): boolean => a.from === b.from && a.to === b.to

/** The cause of a gap where a reorg is deeper than the remembered chain. */
export const beyondLimit = (): ChainError =>
  new ChainError(`Chain blocks were replaced further back than is remembered, ${MAX_CHAIN_BLOCKS} at most`, {
    code: 'invalid-data',
    hint: 'Rebuild what you store of accepted transactions.',
  })
