import { ChainError } from '../../errors/chain-error.js'
import { MEMORY, type Chain } from './chain.js'
import type { Gap } from './change.js'

/** A gap between what was known of the chain and what is known now. */
export const toGap = (before: Chain, after: Chain, cause: ChainError, timestamp: number): Gap => ({
  stream: 'accepted-transactions',
  from: before.at(-1)?.hash ?? null,
  to: after[0]?.hash ?? null,
  cause,
  timestamp,
})

/** Why what left the chain cannot all be taken back. */
export const forgotten = (): ChainError =>
  new ChainError(`More chain blocks were replaced than the last ${MEMORY}, which are remembered`, {
    code: 'invalid-data',
    hint: 'Read what you keep of accepted transactions anew.',
  })
