import { ChainWalletError } from '../errors/wallet-error.js'
import { isNodeUnreachable } from './to-wallet-error.js'
import type { WalletSnapshot } from './port.js'
import { retryUntilConsistent } from './retry-until-consistent.js'
import type { WalletEnvironment } from './environment.js'
import { withVisibleTimeout } from './visible-timeout.js'

/**
 * Reads a wallet with a timeout and retries an inconsistent snapshot. A wallet that rejects the site as not permitted
 * is `disconnected-by-wallet`; one with an unreachable node rejects.
 */
export const readSnapshot = (
  read: () => Promise<WalletSnapshot>,
  environment: WalletEnvironment,
): Promise<WalletSnapshot> =>
  retryUntilConsistent(() => withVisibleTimeout(environment, 'connect', () => readOrDisconnected(read)), environment)

async function readOrDisconnected(read: () => Promise<WalletSnapshot>): Promise<WalletSnapshot> {
  try {
    return await read()
  } catch (error) {
    const isNotPermitted =
      error instanceof ChainWalletError && error.code === 'not-connected' && !isNodeUnreachable(error)
    if (isNotPermitted) return { status: 'disconnected-by-wallet' }
    throw error
  }
}
