import { ChainWalletError } from '../errors/wallet-error.js'
import { hasLostNode } from './failure.js'
import type { WalletGlimpse } from './port.js'
import { settled } from './settled.js'
import type { Surroundings } from './surroundings.js'
import { withinSight } from './within-sight.js'

/**
 * A look at a wallet by `read`, whatever wallet it is: bounded in time, repeated while the wallet contradicts itself. One
 * that knows neither us nor any account shows us nothing, which is an answer and no failure; one that has lost its node fails.
 */
export const lookBy = (read: () => Promise<WalletGlimpse>, surroundings: Surroundings): Promise<WalletGlimpse> =>
  settled(() => withinSight(surroundings, 'connect', () => orGone(read)), surroundings)

async function orGone(read: () => Promise<WalletGlimpse>): Promise<WalletGlimpse> {
  try {
    return await read()
  } catch (error) {
    const isStranger = error instanceof ChainWalletError && error.code === 'not-connected' && !hasLostNode(error)
    if (isStranger) return { status: 'gone' }
    throw error
  }
}
