import { ChainError } from '../../errors/chain-error.js'
import { MEMORY, type Chain } from './chain.js'
import type { Gap } from './change.js'

/** A gap between the last block that was known, and the first that is known now. */
export const toGap = (from: string | undefined, after: Chain, cause: ChainError, timestamp: number): Gap => ({
  stream: 'accepted-transactions',
  from: from ?? null,
  to: after[0]?.hash ?? null,
  cause,
  timestamp,
})

/** Whether two gaps are between the same blocks. */
export const isSameStretch = (a: Gap, b: Gap): boolean => a.from === b.from && a.to === b.to

/** Why what left the chain cannot all be taken back. */
export const beyondMemory = (): ChainError =>
  new ChainError(`Chain blocks were replaced further back than is remembered, ${MEMORY} at most`, {
    code: 'invalid-data',
    hint: 'Read what you keep of accepted transactions anew.',
  })
