import { concatMap, firstValueFrom, from, last, takeWhile, timer } from 'rxjs'
import { ChainWalletError } from '../errors/wallet-error.js'
import { isAddressOnNetwork } from '../model/network-of-address.js'
import { isNodeUnreachable } from './to-wallet-error.js'
import type { WalletSnapshot, WalletAccount } from './port.js'
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

/** Delays in ms between reads of a snapshot whose address does not match its network. */
const DELAYS: readonly number[] = /*#__PURE__*/ Array.from({ length: 11 }, (_, at) => (at === 0 ? 0 : 200))

/**
 * A consistent snapshot: after a switch a wallet can report the new network with the old address. The last one if it
 * stays inconsistent.
 */
function retryUntilConsistent(
  read: () => Promise<WalletSnapshot>,
  { platform }: WalletEnvironment,
): Promise<WalletSnapshot> {
  const reads$ = from(DELAYS).pipe(
    concatMap((delay) => (delay === 0 ? read() : timer(delay, platform.scheduler).pipe(concatMap(read)))),
    takeWhile(isInconsistent, true),
    last(),
  )
  return firstValueFrom(reads$)
}

const isInconsistent = (snapshot: WalletSnapshot): boolean =>
  snapshot.status === 'open' && !isAddressOnNetwork(snapshot.account.address, snapshot.account.network)

/** The account of an open wallet. Throws `not-connected` if the wallet exposes none after the user's approval. */
export function requireAccount(snapshot: WalletSnapshot): WalletAccount {
  if (snapshot.status !== 'open') throw noAccountError()
  return snapshot.account
}

/** The user approved, but the wallet exposes no account. */
export const noAccountError = (): ChainWalletError =>
  new ChainWalletError('connect', new Error('The wallet approved the connection but exposes no account'), {
    code: 'not-connected',
    hint: 'Select an account in the wallet, then call connect() again.',
  })
