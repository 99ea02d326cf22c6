import { catchError, defer, firstValueFrom, of, race, timer, type SchedulerLike } from 'rxjs'
import type { Wallet } from '../../wallets/port.js'

/** Timeout in ms: a wallet may not respond in a hidden page. */
const DISCONNECT_TIMEOUT = 2_000

/** Revokes the wallet's permission. Ignores failures: never rejects. */
export async function disconnectWallet(wallet: Wallet, scheduler: SchedulerLike): Promise<void> {
  const disconnected$ = defer(() => wallet.disconnect()).pipe(catchError(() => of(undefined)))
  await firstValueFrom(race(disconnected$, timer(DISCONNECT_TIMEOUT, scheduler)))
}
