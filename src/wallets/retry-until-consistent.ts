import { concatMap, firstValueFrom, from, last, takeWhile, timer } from 'rxjs'
import type { WalletSnapshot } from './port.js'
import { isAddressOnNetwork } from '../model/network-of-address.js'
import type { WalletEnvironment } from './environment.js'

/** Delays in ms between reads of a snapshot whose address does not match its network. */
const DELAYS: readonly number[] = [0, ...Array.from({ length: 10 }, () => 200)]

/**
 * A consistent snapshot: after a switch a wallet can report the new network with the old address. The last one if it
 * stays inconsistent.
 */
export function retryUntilConsistent(
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
